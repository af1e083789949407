// The worker of thread.test.ts: echoes messages, and fails in each of the ways that a worker can.
import { setTimeout as sleep } from 'node:timers/promises'
import { runWorker } from './run-worker.ts'

export type EchoWorker = {
  readonly input: { readonly greeting: string; readonly fails?: 'at start' | 'at stop'; readonly startMs?: number }
  readonly ready: { readonly greeting: string }
  readonly toWorker: { readonly type: 'echo'; readonly text: string } | { readonly type: 'exit' | 'throw' | 'spin' }
  readonly fromWorker: { readonly type: 'echo'; readonly text: string }
}

await runWorker<EchoWorker>(async ({ input, log, stopRequested, ready, post, onMessage }) => {
  if (input.fails === 'at start') throw new Error('cannot start')
  await sleep(input.startMs ?? 0)
  onMessage((message) => {
    switch (message.type) {
      case 'echo':
        log.info({ text: message.text }, 'echoed')
        log.debug('not shown at this level')
        post({ type: 'echo', text: message.text })
        break
      case 'exit':
        process.exit(7)
        break
      case 'throw':
        throw new Error('thrown while running')
      case 'spin':
        while (true);
    }
  })
  ready({ greeting: input.greeting })
  await stopRequested
  if (input.fails === 'at stop') throw new Error('cannot stop')
})
