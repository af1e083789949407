// Makes the shapes of source files in a worker that is started on demand, ended when it is idle, and terminated when a file takes too
// long; and stores them. A file without a shape is shown without highlighting, so a failure of this module does no harm.
import { Worker } from 'node:worker_threads'
import type { Queries } from '../../store/engine/database.ts'
import { addHighlighted, highlightedShape } from '../../store/jobs/highlighted-files.ts'
import type { Submission } from '../input/submission.ts'
import type { HighlightAnswer, HighlightTask } from './highlight-worker.ts'
import { type HighlightLanguage, type SourceShape, shapeKey } from './shape.ts'

/** A larger file is shown without highlighting. */
const MAX_FILE_CHARS = 500_000
const FILE_TIMEOUT_MS = 10_000
/** Until the grammars are loaded, which takes longer on a busy machine. */
const LOAD_TIMEOUT_MS = 60_000
const IDLE_MS = 30_000
const MAX_HEAP_MB = 256

export type Highlighter = {
  /** Undefined where the file is too large, takes too long, or the signal aborts. */
  shapeOf: (language: HighlightLanguage, source: string, signal: AbortSignal) => Promise<SourceShape | undefined>
  stop: () => Promise<void>
}

export function createHighlighter(): Highlighter {
  let worker: Worker | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idleTimer: NodeJS.Timeout | undefined
  let tasks = 0

  const end = async (): Promise<void> => {
    clearTimeout(idleTimer)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const startedWorker = (): Worker => {
    clearTimeout(idleTimer)
    if (worker) return worker
    worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    // The worker must not hold the process open.
    worker.unref()
    return worker
  }

  const run = async (task: HighlightTask, signal: AbortSignal): Promise<SourceShape | undefined> => {
    if (signal.aborted) return undefined
    const timeoutMs = worker ? FILE_TIMEOUT_MS : LOAD_TIMEOUT_MS
    const thread = startedWorker()
    const { promise, resolve } = Promise.withResolvers<SourceShape | undefined | 'lost'>()
    const giveUp = (): void => resolve('lost')
    let timer = setTimeout(giveUp, timeoutMs)
    const onMessage = (message: HighlightAnswer): void => {
      if (message === 'loaded') {
        clearTimeout(timer)
        timer = setTimeout(giveUp, FILE_TIMEOUT_MS)
      } else if (message.id === task.id) resolve(message.shape ?? undefined)
    }
    thread.on('message', onMessage).once('error', giveUp).once('exit', giveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    thread.postMessage(task)
    const answer = await promise
    clearTimeout(timer)
    thread.off('message', onMessage).off('error', giveUp).off('exit', giveUp)
    signal.removeEventListener('abort', giveUp)
    if (answer === 'lost') await end()
    else idleTimer = setTimeout(end, IDLE_MS).unref()
    return answer === 'lost' ? undefined : answer
  }

  return {
    shapeOf: (language, source, signal) => {
      if (source.length > MAX_FILE_CHARS) return Promise.resolve(undefined)
      const shape = queue.then(() => run({ id: ++tasks, language, source }, signal))
      queue = shape.catch(() => undefined)
      return shape
    },
    stop: end,
  }
}

const MAX_FILES = 200
/** For all files of one submission. */
const STORE_TIMEOUT_MS = 20_000

export async function storeShapes(
  { queries, highlighter }: { queries: Queries; highlighter: Pick<Highlighter, 'shapeOf'> },
  submission: Submission,
  stopping: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STORE_TIMEOUT_MS)])
  for (const [path, content] of filesOf(submission).slice(0, MAX_FILES)) {
    if (signal.aborted) return
    const key = shapeKey(path, content, submission.language)
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
