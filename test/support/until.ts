import { setTimeout as sleep } from 'node:timers/promises'

/** A busy machine is no failure, so the timeout is long: a test that waits has nothing else to find out. */
const TIMEOUT_MS = 100_000
const POLL_MS = 50

/** The first answer that is so; fails after a while with the last one. */
export async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  const giveUpMs = Date.now() + TIMEOUT_MS
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    if (Date.now() > giveUpMs) throw new Error(`not so in time: ${JSON.stringify(answer)}`)
    await sleep(POLL_MS)
  }
}
