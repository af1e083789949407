// The shared tool that replays recorded flashblocks with faults, run from a copy inside this package so that it finds its WebSockets.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tool = join(root, '../shared/tools/checks/feed/flashblock-feed.mjs')
const cache = join(root, 'node_modules/.cache')

export function hasFaultyFeed(): boolean {
  return existsSync(tool)
}

export type FaultyFeed = {
  /** Until so many clients listen. */
  untilConnected: (clients: number) => Promise<void>
  /** Plays the sequence once; ends when it has been played, unless asked not to wait. */
  play: (fault: string, options?: { waits: boolean }) => Promise<void>
  stop: () => Promise<void>
}

/** At 20 messages a second. */
export async function startFaultyFeed(port: string, sequence: readonly unknown[]): Promise<FaultyFeed> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'feed-'))
  copyFileSync(tool, join(folder, 'feed.mjs'))
  writeFileSync(join(folder, 'sequence.json'), JSON.stringify(sequence))
  const child = spawn(process.execPath, ['feed.mjs', 'sequence.json', '--port', port, '--hz', '20'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const control = async (body: object) =>
    (await (await fetch(`http://127.0.0.1:${port}/ctl`, { method: 'POST', body: JSON.stringify(body) })).json()) as {
      clients: number
      passes: number
    }
  return {
    untilConnected: async (clients) => {
      while ((await control({})).clients < clients) await sleep(20)
    },
    play: async (fault, { waits } = { waits: true }) => {
      const { passes } = await control({ fault, at: 2, play: true })
      while (waits && (await control({})).passes === passes) await sleep(20)
    },
    stop: async () => {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
