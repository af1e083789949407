// Records the calls of a transaction as a tree. The formats of clients (geth's callTracer, Parity's flat traces, internal transactions)
// are derived from it.
import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'
import type { RecoveredTransaction } from '../../chain/codec/recovered-transaction.ts'
import { type ExecutionFrame, isCreation, type MessageKind, type Tracer } from '../core/execution-frame.ts'

export type RecordedCall = {
  readonly type: MessageKind | 'SELFDESTRUCT'
  readonly from: bigint
  readonly to: bigint
  /** Null for a STATICCALL. */
  readonly value: bigint | null
  readonly gas: bigint
  readonly gasUsed: bigint
  /** For a creation, the init code. */
  readonly input: Uint8Array
  /** Return data, revert data or the new contract's code. */
  readonly output: Uint8Array
  /** Null if it succeeded. */
  readonly error: string | null
  readonly isPrecompile: boolean
  readonly logs: readonly RecordedLog[]
  readonly calls: readonly RecordedCall[]
}

/** `position` is the number of calls that the frame had made before the log, `index` that of the transaction's logs before it. */
export type RecordedLog = { readonly log: Log; readonly position: number; readonly index: number }

export class CallRecorder implements Tracer {
  #open: OpenCall[] = []
  #root: RecordedCall | null = null

  /** The outermost call; null if there was none, as for a deposit that failed before it began. */
  get root(): RecordedCall | null {
    return this.#root
  }

  enter(frame: ExecutionFrame): void {
    this.#open.push({ ...openingOf(frame), logs: [], calls: [] })
  }

  exit(frame: ExecutionFrame): void {
    const { halt } = frame
    const closed: RecordedCall = {
      ...this.#open.pop()!,
      gasUsed: BigInt(frame.gasLimit - frame.gas),
      output: frame.output,
      error: halt?.message ?? null,
    }
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#root = closed
    else parent.calls.push(closed)
  }

  log({ machine }: ExecutionFrame, log: Log): void {
    const call = this.#open.at(-1)!
    call.logs.push({ log, position: call.calls.length, index: machine.world.logs.length - 1 })
  }

  selfDestruct(frame: ExecutionFrame, beneficiary: bigint, balance: bigint): void {
    this.#open.at(-1)!.calls.push({
      type: 'SELFDESTRUCT',
      from: frame.self.address,
      to: beneficiary,
      value: balance,
      gas: 0n,
      gasUsed: 0n,
      input: EMPTY_BYTES,
      output: EMPTY_BYTES,
      error: null,
      isPrecompile: false,
      logs: [],
      calls: [],
    })
  }
}

type Opening = Pick<RecordedCall, 'type' | 'from' | 'to' | 'value' | 'gas' | 'input' | 'isPrecompile'>
type OpenCall = Opening & { readonly logs: RecordedLog[]; readonly calls: RecordedCall[] }

function openingOf(frame: ExecutionFrame): Opening {
  const isCreate = isCreation(frame)
  return {
    type: frame.kind,
    from: frame.kind === 'DELEGATECALL' ? frame.self.address : frame.caller,
    to: frame.codeAddress,
    value: frame.kind === 'STATICCALL' ? null : frame.value,
    gas: BigInt(frame.gasLimit),
    input: isCreate ? frame.code.bytes : frame.input,
    isPrecompile: !isCreate && frame.machine.precompiles.has(frame.codeAddress),
  }
}

/** The call of a deposit that failed before it began, but is in the block. */
export function unbegunCall({ transaction, from }: RecoveredTransaction): RecordedCall {
  return {
    type: transaction.to === null ? 'CREATE' : 'CALL',
    from,
    to: transaction.to ?? 0n,
    value: transaction.value,
    gas: transaction.gasLimit,
    gasUsed: transaction.gasLimit,
    input: transaction.data,
    output: EMPTY_BYTES,
    error: 'failed deposit',
    isPrecompile: false,
    logs: [],
    calls: [],
  }
}
