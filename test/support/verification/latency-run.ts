// How long others wait while compilers are at their worst: the same requests at the same pace, alternating while the compilers are
// stopped and while they run, so that whatever else the machine does hits both alike. By signals and /proc, so only on Linux.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import { descendantsOf } from '../descendants.ts'
import { freePort } from '../free-port.ts'
import { startTestServer } from '../server.ts'
import { compiledSource, createDeployer } from './deployer.ts'
import { guidOf } from './submit.ts'

const BOMBS = 8
const WARM_UP_S = 20

export type LatencyReport = {
  readonly requests: number
  readonly idleP99Ms: number
  readonly bombedP99Ms: number
  readonly ratio: number
}

export type LatencyOptions = {
  /** Pairs of an idle and a bombed while. */
  readonly rounds: number
  readonly roundSeconds: number
  readonly perSecond: number
}

export async function latencyUnderBombs({ rounds, roundSeconds, perSecond }: LatencyOptions): Promise<LatencyReport> {
  const devnetPort = await freePort()
  const server = await startTestServer({
    ROLES: 'indexer,api,verifier',
    DEVNET_PORT: devnetPort,
    DEVNET_TPS: '0',
    AUTH: 'off',
    RATE_LIMIT_IP: '0',
  })
  try {
    const source = 'pragma solidity 0.8.30; contract Target { uint256 public number = 7; }'
    const deployer = createDeployer(`http://127.0.0.1:${devnetPort}`)
    const target = await deployer.deploy(compiledSource('Target.sol', source).get('Target')!)
    const url = `${server.url}/api/v5/chain/block/block-list?chainShortName=DEV&limit=20`
    while ((await fetch(`${server.url}/ready`)).status !== 200) await sleep(200)
    // The devnet's own contracts are compiled at start, so the first round begins after them.
    await timesOf(url, WARM_UP_S, perSecond)
    for (let i = 0; i < BOMBS; i++) await submitBomb(server.url, target, i)
    const idle: number[] = []
    const bombed: number[] = []
    for (let round = 0; round < rounds; round++) {
      const unfreeze = freezeCompilers(server.pid)
      idle.push(...(await timesOf(url, roundSeconds, perSecond)))
      if (unfreeze() === 0) throw new Error('no compiler is at work: there is nothing to compare')
      bombed.push(...(await timesOf(url, roundSeconds, perSecond)))
    }
    const [idleP99Ms, bombedP99Ms] = [p99Of(idle), p99Of(bombed)]
    return { requests: idle.length + bombed.length, idleP99Ms, bombedP99Ms, ratio: bombedP99Ms / idleP99Ms }
  } finally {
    await server.stop('SIGKILL')
  }
}

const LOOK_EVERY_MS = 500

/** Includes compilers that start meanwhile. The result lets them go on, and says how many they are. */
function freezeCompilers(pid: number): () => number {
  const signal = (name: NodeJS.Signals) => {
    const compilers = descendantsOf(pid).filter(isCompiler)
    for (const each of compilers) process.kill(each, name)
    return compilers.length
  }
  signal('SIGSTOP')
  const looking = setInterval(signal, LOOK_EVERY_MS, 'SIGSTOP')
  return () => {
    clearInterval(looking)
    return signal('SIGCONT')
  }
}

function isCompiler(pid: number): boolean {
  try {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return program.endsWith('node') && args.some((arg) => arg.endsWith('solc-process.ts'))
  } catch {
    return false
  }
}

/** By the pace of a clock, not by the pace of the answers: a stall is felt by all who come meanwhile. */
async function timesOf(url: string, seconds: number, perSecond: number): Promise<readonly number[]> {
  const times: Promise<number>[] = []
  const startMs = performance.now()
  for (let i = 0; i < seconds * perSecond; i++) {
    await sleep(Math.max(0, startMs + (i * 1000) / perSecond - performance.now()))
    const time = timed(url)
    // One that fails is thrown below, when all have been sent.
    time.catch(() => {})
    times.push(time)
  }
  return Promise.all(times)
}

function p99Of(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

async function timed(url: string): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  return performance.now() - startMs
}

/** Thousands of functions for the slowest pipeline there is. */
async function submitBomb(base: string, address: Hex, seed: number): Promise<void> {
  const functions = Array.from(
    { length: 3_000 },
    (_, i) => `function f${i}(uint256 a) external pure returns (uint256) { return a * ${seed + i} + a / ${i + 1}; }`,
  )
  const json = {
    language: 'Solidity',
    sources: { 'Bomb.sol': { content: `pragma solidity 0.8.30; contract Bomb { ${functions.join('\n')} }` } },
    settings: { viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } },
  }
  const guid = await guidOf(base, {
    contractaddress: address,
    sourceCode: JSON.stringify(json),
    codeformat: 'solidity-standard-json-input',
    contractname: 'Bomb.sol:Bomb',
  })
  if (guid === undefined) throw new Error('a bomb was not taken')
}
