// What a failed transaction was told by the contract that stopped it, from the node's trace of its outermost call.
import type { DecodedWords } from '../../contract/pages.ts'
import type { Visit } from './visit.ts'

const TOP_CALL = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
/** A selector at least. */
const LEAST_CHARS = 10
/** `Error(string)` and `Panic(uint256)` are in the index as text. */
const TOLD_BY_THE_INDEX = ['0x08c379a0', '0x4e487b71']

export async function revertError(
  { node, answers }: Pick<Visit, 'node' | 'answers'>,
  { hash, to }: { hash: string; to: string },
): Promise<DecodedWords | undefined> {
  if (!node || to === '') return undefined
  const [traced] = await node.ask([['debug_traceTransaction', hash, TOP_CALL]])
  if (traced?.type !== 'result') return undefined
  const { output } = (traced.result ?? {}) as { output?: unknown }
  if (typeof output !== 'string' || output.length < LEAST_CHARS) return undefined
  if (TOLD_BY_THE_INDEX.includes(output.slice(0, LEAST_CHARS))) return undefined
  return answers.decoded.error(output, to)
}
