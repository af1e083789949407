// The shapes of a source's files, made once and stored. What cannot be shaped in time stays plain; nothing depends on it.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import type { Queries } from '../../store/engine/database.ts'
import { addHighlighted, highlightedShape } from '../../store/jobs/highlighted-files.ts'
import type { Submission } from '../input/submission.ts'
import type { Highlighter } from './highlighter.ts'
import { languageOfFile } from './shape.ts'

const MAX_FILES = 200
/** For all files of one source. */
const TIMEOUT_MS = 20_000

export function contentHash(content: string): Hex {
  return bytesToHex(keccak256(Buffer.from(content)))
}

export async function keepShapes(
  { queries, highlighter }: { queries: Queries; highlighter: Pick<Highlighter, 'shapeOf'> },
  submission: Submission,
  stopping: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)])
  for (const [path, content] of filesOf(submission).slice(0, MAX_FILES)) {
    if (signal.aborted) return
    const key = { contentHash: contentHash(content), language: languageOfFile(path, submission.language) }
    if ((await highlightedShape(queries, key)) !== undefined) continue
    const shape = await highlighter.shapeOf(key.language, content, signal)
    if (shape) await addHighlighted(queries, [{ ...key, shape: JSON.stringify(shape) }])
  }
}

function filesOf({ input }: Submission): (readonly [path: string, content: string])[] {
  return input.type === 'singleFile'
    ? [['', input.source]]
    : Object.entries(input.json.sources).map(([path, { content }]) => [path, content])
}
