// Parity's flat trace format: the calls of a transaction in the order they began, each with its path from the outermost call.
// `trace_block` and `trace_transaction` add block and transaction.
import { addressToHex, bytesToHex, type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import type { RecordedCall } from './call-recorder.ts'

export type ParityTrace = {
  readonly type: 'call' | 'create' | 'suicide'
  readonly action: Readonly<Record<string, Hex | string>>
  readonly result: Readonly<Record<string, Hex>> | null
  readonly error?: string
  readonly subtraces: number
  readonly traceAddress: readonly number[]
}

/** Calls to precompiles are omitted, unless they are the outermost call, transfer value or are requested. */
export type ParityTraceConfig = { readonly includePrecompiles?: boolean }

export function toParityTraces(
  root: RecordedCall,
  { includePrecompiles = false }: ParityTraceConfig = {},
): ParityTrace[] {
  const traces: ParityTrace[] = []
  const isShown = (call: RecordedCall) => includePrecompiles || !call.isPrecompile || (call.value ?? 0n) !== 0n
  collect(traces, root, [], isShown)
  return traces
}

function collect(
  traces: ParityTrace[],
  call: RecordedCall,
  traceAddress: readonly number[],
  isShown: (call: RecordedCall) => boolean,
): void {
  const calls = call.calls.filter(isShown)
  traces.push({
    type: typeOf(call),
    action: actionOf(call),
    result: resultOf(call),
    ...(call.error === null ? {} : { error: parityError(call.error) }),
    subtraces: calls.length,
    traceAddress,
  })
  for (const [index, each] of calls.entries()) collect(traces, each, [...traceAddress, index], isShown)
}

function typeOf({ type }: RecordedCall): ParityTrace['type'] {
  if (type === 'SELFDESTRUCT') return 'suicide'
  return type === 'CREATE' || type === 'CREATE2' ? 'create' : 'call'
}

function actionOf(call: RecordedCall): ParityTrace['action'] {
  const from = addressToHex(call.from)
  const value = toQuantity(call.value ?? 0n)
  switch (typeOf(call)) {
    case 'suicide':
      return { address: from, balance: value, refundAddress: addressToHex(call.to) }
    case 'create':
      return {
        creationMethod: call.type.toLowerCase(),
        from,
        gas: toQuantity(call.gas),
        init: bytesToHex(call.input),
        value,
      }
    case 'call':
      return {
        callType: call.type.toLowerCase(),
        from,
        gas: toQuantity(call.gas),
        input: bytesToHex(call.input),
        to: addressToHex(call.to),
        value,
      }
  }
}

function resultOf(call: RecordedCall): ParityTrace['result'] {
  if (call.type === 'SELFDESTRUCT') return null
  if (call.error !== null && call.error !== 'execution reverted') return null
  const gasUsed = toQuantity(call.gasUsed)
  const output = bytesToHex(call.output)
  if (typeOf(call) === 'call') return { gasUsed, output }
  return call.error === null ? { address: addressToHex(call.to), code: output, gasUsed } : null
}

function parityError(error: string): string {
  const known = PARITY_ERRORS.find(([words]) => error.startsWith(words))
  return known === undefined ? error : known[1]
}

const PARITY_ERRORS = [
  ['execution reverted', 'Reverted'],
  ['out of gas: write protection', 'Mutable Call In Static Context'],
  ['out of gas', 'Out of gas'],
  ['contract creation code storage out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['invalid jump', 'Bad jump destination'],
  ['invalid opcode', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
  ['stack limit', 'Out of stack'],
  ['write protection', 'Mutable Call In Static Context'],
  ['return data out of bounds', 'Out of bounds'],
] as const
