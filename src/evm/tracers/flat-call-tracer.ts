// geth's flatCallTracer: the calls of a transaction in the order they began, each with its path from the outermost call. It looks like
// Parity's traces and differs from them: the outermost call shows the gas of the whole transaction, a result that is not there is absent
// rather than null, and errors are geth's unless the caller wants Parity's.
import { addressToHex, bytesToHex, type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import type { RecordedCall } from './call-recorder.ts'
import type { TransactionGas } from './call-tracer.ts'

export type FlatCallTracerConfig = { readonly convertParityErrors?: boolean; readonly includePrecompiles?: boolean }

/** Where the transaction is. A call that is not in a block has none. */
export type TracedLocation = {
  readonly blockHash: Hex
  readonly blockNumber: number
  readonly transactionHash: Hex
  readonly transactionPosition: number
}

export type FlatCall = {
  readonly type: 'call' | 'create' | 'suicide'
  readonly action: Readonly<Record<string, Hex | string>>
  readonly result?: Readonly<Record<string, Hex>>
  readonly error?: string
  readonly subtraces: number
  readonly traceAddress: readonly number[]
  readonly blockHash: Hex | null
  readonly blockNumber: number
  readonly transactionHash: Hex | null
  readonly transactionPosition: number
}

export function toFlatCalls(
  root: RecordedCall,
  { gasLimit, gasUsed }: TransactionGas,
  { config, location }: { readonly config: FlatCallTracerConfig; readonly location: TracedLocation | null },
): FlatCall[] {
  const flat: FlatCall[] = []
  const place = location ?? { blockHash: null, blockNumber: 0, transactionHash: null, transactionPosition: 0 }
  const collect = (call: RecordedCall, traceAddress: readonly number[]): void => {
    const calls = config.includePrecompiles ? call.calls : call.calls.filter((each) => !isPlainPrecompile(each))
    flat.push({ ...viewOf(call, config), subtraces: calls.length, traceAddress, ...place })
    for (const [index, each] of calls.entries()) collect(each, [...traceAddress, index])
  }
  collect({ ...root, gas: gasLimit, gasUsed }, [])
  return flat
}

function isPlainPrecompile({ isPrecompile, type }: RecordedCall): boolean {
  return isPrecompile && (type === 'CALL' || type === 'STATICCALL')
}

function viewOf(call: RecordedCall, { convertParityErrors }: FlatCallTracerConfig) {
  const error = call.error === null ? {} : { error: convertParityErrors ? parityError(call.error) : call.error }
  const hasResult = call.error === null || call.error === 'execution reverted'
  const { result, ...view } = describe(call)
  return hasResult && result !== undefined ? { ...view, result, ...error } : { ...view, ...error }
}

function describe(call: RecordedCall): Pick<FlatCall, 'type' | 'action' | 'result'> {
  const [from, to] = [addressToHex(call.from), addressToHex(call.to)]
  const [gas, gasUsed] = [toQuantity(call.gas), toQuantity(call.gasUsed)]
  const [input, output] = [bytesToHex(call.input), bytesToHex(call.output)]
  const value = toQuantity(call.value ?? 0n)
  switch (call.type) {
    case 'SELFDESTRUCT':
      return { type: 'suicide', action: { address: from, balance: value, refundAddress: to } }
    case 'CREATE':
    case 'CREATE2': {
      const action = { creationMethod: call.type.toLowerCase(), from, gas, init: input, value }
      const address = call.error === null ? { address: to } : {}
      return { type: 'create', action, result: { ...address, code: output, gasUsed } }
    }
    default: {
      const action = { callType: call.type.toLowerCase(), from, to, gas, input, value }
      return { type: 'call', action, result: { gasUsed, output } }
    }
  }
}

function parityError(error: string): string {
  const beginning = PARITY_ERRORS_BY_BEGINNING.find(([words]) => error.startsWith(words))
  return PARITY_ERRORS.get(error) ?? beginning?.[1] ?? error
}

/** As in geth. */
const PARITY_ERRORS = new Map([
  ['contract creation code storage out of gas', 'Out of gas'],
  ['out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['execution reverted', 'Reverted'],
  ['return data out of bounds', 'Out of bounds'],
  ['stack limit reached 1024 (1023)', 'Out of stack'],
  ['precompiled failed', 'Built-in failed'],
  ['invalid input length', 'Built-in failed'],
])
const PARITY_ERRORS_BY_BEGINNING = [
  ['out of gas:', 'Out of gas'],
  ['invalid opcode:', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
] as const
