// Kills a process that indexes the tape, again and again, at moments that nobody chose: while it backfills, follows or rewrites a branch.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Tape } from './tape.ts'

const program = fileURLToPath(new URL('./index-until-killed.ts', import.meta.url))
function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export type Kills = {
  readonly tape: Tape
  /** The last height that the tape has. */
  readonly lastHeight: number
  readonly kills: number
  /** Gives the process once it is at work. */
  readonly start: () => Promise<ChildProcess>
}

/** Two steps forward, then a reorg; whatever was under way at the kill is what the next one begins with. */
export async function killAgainAndAgain({ tape, lastHeight, kills, start }: Kills): Promise<void> {
  let head = 0
  await tape.control({ head })
  for (let kill = 0; kill < kills; kill++) {
    const child = await start()
    await pause(500 * Math.random())
    if (kill % 3 === 2) await tape.control({ reorg: { depth: Math.min(head, 60) } })
    else {
      head = Math.min(lastHeight, head + Math.ceil((2 * lastHeight) / kills))
      await tape.control({ head })
    }
    await pause(300 * Math.random())
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

export type Place = { readonly url: string | undefined; readonly dataDir: string }

/** The indexer alone. It says when it begins; from then on any instant is as good as another. */
export async function startIndexing(
  nodeUrl: string,
  { url, dataDir }: Place,
  mostBehind?: number,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, nodeUrl, dataDir, url ?? '', String(mostBehind ?? '')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}
