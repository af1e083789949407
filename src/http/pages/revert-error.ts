// The custom error of a failed transaction, from the trace of its outermost call.
import type { DecodedWords } from '../../contract/pages.ts'
import type { Visit } from './visit.ts'

const TOP_CALL = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
/** 0x and a selector. */
const SELECTOR_CHARS = 10
/** `Error(string)` and `Panic(uint256)`: the index has them as text. */
const INDEXED_ERRORS = ['0x08c379a0', '0x4e487b71']

export async function revertError(
  { node, answers }: Pick<Visit, 'node' | 'answers'>,
  { hash, to }: { hash: string; to: string },
): Promise<DecodedWords | undefined> {
  if (!node || to === '') return undefined
  const [traced] = await node.ask([['debug_traceTransaction', hash, TOP_CALL]])
  if (traced?.type !== 'result') return undefined
  const { output } = (traced.result ?? {}) as { output?: unknown }
  if (typeof output !== 'string' || output.length < SELECTOR_CHARS) return undefined
  if (INDEXED_ERRORS.includes(output.slice(0, SELECTOR_CHARS))) return undefined
  return answers.decoded.error(output, to)
}
