// Each attack beside an honest client: first the client alone, then with the attack, then how long memory takes to come back.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestServer, type TestServer } from '../server.ts'
import { attacks } from './attacks.ts'
import type { HonestFigures } from './honest-client.ts'

export type AttackFigures = {
  readonly attack: string
  readonly alone: HonestFigures
  readonly attacked: HonestFigures
  /** Resident memory in megabytes: before, the most during, and after at most a minute. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number }
  /** Seconds until memory was back within a tenth; null if it was not within a minute. */
  readonly backAfterS: number | null
}

export const MOST_SLOWER = 3
export const MOST_MEMORY = 1.3
const BACK_WITHIN = 1.1

/** The limits that a service has in production; `dev` has wider ones. */
const PRODUCTION_LIMITS = {
  RATE_LIMIT_IP: '200',
  RATE_LIMIT_IP_BURST: '400',
  RATE_LIMIT_KEY: '100',
  RATE_LIMIT_KEY_BURST: '200',
  RPC_WORK_PER_S: '50000000',
  RPC_WORK_BURST: '500000000',
}

export async function runAttacks(options: {
  readonly names: readonly string[]
  readonly seconds: number
  readonly warmUpS: number
  /** How long to wait for memory to come back. */
  readonly backWithinS: number
  readonly report: (figures: AttackFigures) => void
}): Promise<readonly AttackFigures[]> {
  const server = await startTestServer({
    ...PRODUCTION_LIMITS,
    ROLES: 'indexer,api,rpc,relay,verifier,web',
    DEVNET_TPS: '30',
    LOG_LEVEL: 'error',
  })
  const honest = start(new URL('./honest-client.ts', import.meta.url), [server.url, JSON.stringify(server.credentials)])
  try {
    await sleep(options.warmUpS * 1_000)
    const all: AttackFigures[] = []
    for (const name of options.names) {
      const figures = await measure({ ...options, name, server, honest })
      options.report(figures)
      all.push(figures)
    }
    return all
  } finally {
    honest.kill('SIGKILL')
    await server.stop()
  }
}

export function isHarmless({ alone, attacked, memory, backAfterS }: AttackFigures): boolean {
  return (
    attacked.refused.length === 0 &&
    attacked.p99Ms <= MOST_SLOWER * alone.p99Ms &&
    memory.most <= MOST_MEMORY * memory.before &&
    backAfterS !== null
  )
}

type Measured = {
  readonly name: string
  readonly server: TestServer
  readonly honest: ChildProcess
  readonly seconds: number
  readonly backWithinS: number
}

async function measure({ name, server, honest, seconds, backWithinS }: Measured): Promise<AttackFigures> {
  const alone = await figuresOver(honest, seconds)
  const before = megabytes(server.pid)
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, megabytes(server.pid))
  }, 100)
  const attacker = start(new URL('./attacker.ts', import.meta.url), [name, server.url, String(seconds)])
  await once(attacker, 'message')
  const attacked = await figuresOver(honest, seconds)
  attacker.kill('SIGKILL')
  const backAfterS = await secondsUntil(() => megabytes(server.pid) <= before * BACK_WITHIN, backWithinS)
  clearInterval(watching)
  return { attack: name, alone, attacked, memory: { before, most, after: megabytes(server.pid) }, backAfterS }
}

function start(file: URL, words: readonly string[]): ChildProcess {
  return fork(file, [...words], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

async function figuresOver(honest: ChildProcess, seconds: number): Promise<HonestFigures> {
  honest.send('begin')
  await sleep(seconds * 1_000)
  honest.send('figures')
  const [figures] = (await once(honest, 'message')) as [HonestFigures]
  return figures
}

async function secondsUntil(isSo: () => boolean, most: number): Promise<number | null> {
  const startMs = performance.now()
  while (!isSo()) {
    if (performance.now() - startMs > most * 1_000) return null
    await sleep(250)
  }
  return (performance.now() - startMs) / 1_000
}

function megabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1_000
}

export const attackNames: readonly string[] = Object.keys(attacks)
