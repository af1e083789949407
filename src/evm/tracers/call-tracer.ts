// geth's callTracer format: the tree of calls, as `debug_traceTransaction` returns it.
import { addressToHex, bytesToHex, type Hex, toQuantity, wordToHex } from '../../chain/bytes/hex.ts'
import { revertReason } from '../../chain/trace/revert-reason.ts'
import type { RecordedCall, RecordedLog } from './call-recorder.ts'

export type CallTrace = {
  type: RecordedCall['type']
  from: Hex
  to?: Hex
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  logs?: CallTraceLog[]
  calls?: CallTrace[]
}

/** `index` is that in the block. */
export type CallTraceLog = { address: Hex; topics: Hex[]; data: Hex; index: Hex; position: Hex }

export type CallTracerConfig = { readonly onlyTopCall?: boolean; readonly withLog?: boolean }

/** `firstLogIndex` is the number of logs in the block before the transaction. */
type CallTraceOptions = CallTracerConfig & { readonly firstLogIndex?: number }

/** The outermost call shows the gas of the whole transaction, intrinsic gas included. */
export type TransactionGas = { readonly gasLimit: bigint; readonly gasUsed: bigint }

export function toCallTrace(
  root: RecordedCall,
  { gasLimit, gasUsed }: TransactionGas,
  config: CallTraceOptions = {},
): CallTrace {
  return traceOf({ ...root, gas: gasLimit, gasUsed }, config, true)
}

/** A failed call loses its logs and those of the calls below it. */
function traceOf(call: RecordedCall, config: CallTraceOptions, isLogged: boolean): CallTrace {
  const isCreate = call.type === 'CREATE' || call.type === 'CREATE2'
  const hasLogs = isLogged && call.error === null
  const trace: CallTrace = {
    type: call.type,
    from: addressToHex(call.from),
    gas: toQuantity(call.gas),
    gasUsed: toQuantity(call.gasUsed),
    input: bytesToHex(call.input),
  }
  if (!isCreate || call.error === null) trace.to = addressToHex(call.to)
  if (call.value !== null) trace.value = toQuantity(call.value)
  if (call.output.length > 0) trace.output = bytesToHex(call.output)
  if (call.error !== null) trace.error = call.error
  const reason = call.error === null ? null : revertReason(call.output)
  if (reason !== null) trace.revertReason = reason
  if (config.withLog && hasLogs && call.logs.length > 0) {
    trace.logs = call.logs.map((each) => toTraceLog(each, config.firstLogIndex ?? 0))
  }
  if (!config.onlyTopCall && call.calls.length > 0) {
    trace.calls = call.calls.map((each) => traceOf(each, config, hasLogs))
  }
  return trace
}

function toTraceLog({ log, position, index }: RecordedLog, firstLogIndex: number): CallTraceLog {
  return {
    address: addressToHex(log.address),
    topics: log.topics.map(wordToHex),
    data: bytesToHex(log.data),
    index: toQuantity(firstLogIndex + index),
    position: toQuantity(position),
  }
}
