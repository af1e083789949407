// Sources to shapes, in a thread that is started when one is needed, ended when it rests, and killed when it takes too long.
import { Worker } from 'node:worker_threads'
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import type { Queries } from '../../store/engine/database.ts'
import { addHighlighted, highlightedShape } from '../../store/jobs/highlighted-files.ts'
import type { Submission } from '../input/submission.ts'
import type { HighlightAnswer, HighlightTask } from './highlight-worker.ts'
import { type HighlightLanguage, languageOfFile, type SourceShape } from './shape.ts'

/** A larger file is shown plain. */
const MAX_FILE_CHARS = 500_000
const FILE_TIMEOUT_MS = 10_000
/** Until the grammars are there. That a machine is busy with something else is no fault of the file. */
const LOAD_TIMEOUT_MS = 60_000
const REST_MS = 30_000
const MAX_HEAP_MB = 256

export type Highlighter = {
  /** Null where the file is too large, takes too long, or the signal fires: it is shown plain then. */
  shapeOf: (language: HighlightLanguage, source: string, signal: AbortSignal) => Promise<SourceShape | null>
  stop: () => Promise<void>
}

export function createHighlighter(): Highlighter {
  let worker: Worker | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let resting: NodeJS.Timeout | undefined
  let tasks = 0

  const end = async (): Promise<void> => {
    clearTimeout(resting)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const started = (): Worker => {
    clearTimeout(resting)
    if (worker) return worker
    worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    // It keeps nobody from leaving.
    worker.unref()
    return worker
  }

  const run = async (task: HighlightTask, signal: AbortSignal): Promise<SourceShape | null> => {
    if (signal.aborted) return null
    const timeoutMs = worker ? FILE_TIMEOUT_MS : LOAD_TIMEOUT_MS
    const thread = started()
    const { promise, resolve } = Promise.withResolvers<SourceShape | null | 'lost'>()
    const lose = (): void => resolve('lost')
    let timer = setTimeout(lose, timeoutMs)
    const take = (answer: HighlightAnswer): void => {
      if (answer === 'loaded') {
        clearTimeout(timer)
        timer = setTimeout(lose, FILE_TIMEOUT_MS)
      } else if (answer.id === task.id) resolve(answer.shape)
    }
    thread.on('message', take).once('error', lose).once('exit', lose)
    signal.addEventListener('abort', lose, { once: true })
    thread.postMessage(task)
    const outcome = await promise
    clearTimeout(timer)
    thread.off('message', take).off('error', lose).off('exit', lose)
    signal.removeEventListener('abort', lose)
    if (outcome === 'lost') await end()
    else resting = setTimeout(end, REST_MS).unref()
    return outcome === 'lost' ? null : outcome
  }

  return {
    shapeOf: (language, source, signal) => {
      if (source.length > MAX_FILE_CHARS) return Promise.resolve(null)
      const shape = queue.then(() => run({ id: ++tasks, language, source }, signal))
      queue = shape.catch(() => undefined)
      return shape
    },
    stop: end,
  }
}

// The shapes of a source's files, made once and stored. What cannot be shaped in time stays plain; nothing depends on it.

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
