// Records the calls of a transaction as a tree. The shapes that clients know (geth's callTracer, Parity's flat traces, internal
// transactions) are views of it.
import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'
import type { RecoveredTransaction } from '../../chain/codec/recovered-transaction.ts'
import { type ExecutionFrame, isCreation, type MessageKind, type Tracer } from '../core/execution-frame.ts'

export type RecordedCall = {
  readonly type: MessageKind | 'SELFDESTRUCT'
  readonly from: bigint
  readonly to: bigint
  /** Null in a STATICCALL, which has none. */
  readonly value: bigint | null
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Of a creation: the code that makes the contract. */
  readonly input: Uint8Array
  /** Return data, revert data or the new contract's code. */
  readonly output: Uint8Array
  /** Null: it succeeded. */
  readonly error: string | null
  readonly isPrecompile: boolean
  readonly logs: readonly RecordedLog[]
  readonly calls: readonly RecordedCall[]
}

/** `position`: how many calls the frame had made when it logged. */
export type RecordedLog = { readonly log: Log; readonly position: number }

export class CallRecorder implements Tracer {
  #open: Draft[] = []
  #root: RecordedCall | null = null

  /** The outermost call; null where none was made, as for a deposit that failed before it began. */
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

  log(_frame: ExecutionFrame, log: Log): void {
    const draft = this.#open.at(-1)!
    draft.logs.push({ log, position: draft.calls.length })
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
type Draft = Opening & { readonly logs: RecordedLog[]; readonly calls: RecordedCall[] }

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

/** A deposit that asked for more than its sender has is in the block all the same. */
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
