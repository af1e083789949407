// The messages between bench/relay.bench.ts and its servers.
export type Blast = { messages: number; everyMs: number; bytes: number }

export type Blasted = {
  /** When each message was handed to the server, on the clock of all processes of this machine. */
  sentAt: number[]
  /** Length of each WebSocket frame on the wire. */
  frameBytes: number[]
  cpuMs: number
  tookMs: number
  /** Resident bytes: the highest of all moments after a message, less those before the first. */
  grownBytes: number
}

export function clock(): number {
  return performance.timeOrigin + performance.now()
}

/** Time for messages that are still in flight when the last one is sent. */
const TAIL_MS = 1_500

/** Answers each request of the parent process with the time and memory that it took. */
export function serveBlasts(
  prepare: (blast: Blast) => { frameBytes: number[]; send: (message: number) => void },
): void {
  process.on('message', async ({ messages, everyMs, bytes }: Blast) => {
    const { frameBytes, send } = prepare({ messages, everyMs, bytes })
    const sentAt: number[] = []
    const residentBefore = process.memoryUsage.rss()
    let resident = residentBefore
    const { user, system } = process.cpuUsage()
    const beginMs = clock()
    for (let message = 0; message < messages; message++) {
      await sleepUntil(beginMs + message * everyMs)
      sentAt.push(clock())
      send(message)
      resident = Math.max(resident, process.memoryUsage.rss())
    }
    await sleepUntil(clock() + TAIL_MS)
    const used = process.cpuUsage()
    const cpuMs = (used.user - user + used.system - system) / 1_000
    const tookMs = clock() - beginMs
    process.send!({ sentAt, frameBytes, cpuMs, tookMs, grownBytes: resident - residentBefore } satisfies Blasted)
  })
  process.send!('ready')
}

function sleepUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - clock())))
}

/** A text that compresses about as well as a flashblock. */
export function hexText(bytes: number): string {
  let text = ''
  for (let i = 0; text.length < bytes; i++)
    text += i % 3 === 0 ? '0'.repeat(64) : (i * 0x9e3779b1).toString(16).padEnd(16, 'c')
  return text.slice(0, bytes)
}
