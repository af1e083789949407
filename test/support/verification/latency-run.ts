// How long others wait while compilers are at their worst: the same requests at the same pace, before and during.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../../src/chain/hex.ts'
import { freePort } from '../free-port.ts'
import { startTestServer } from '../server.ts'
import { compiledSource, createDeployer } from './deployer.ts'

const BOMBS = 6

export type LatencyReport = { readonly idleP99Ms: number; readonly bombedP99Ms: number; readonly ratio: number }

export const latencyUnderBombs = async ({ seconds, perSecond }: { seconds: number; perSecond: number }) => {
  const devnetPort = await freePort()
  const server = await startTestServer({
    ROLES: 'indexer,api,verifier',
    DEVNET_PORT: devnetPort,
    DEVNET_TPS: '0',
    AUTH: 'off',
    RATE_LIMIT_IP: '0',
  })
  const nodeUrl = `http://127.0.0.1:${devnetPort}`
  try {
    const source = 'pragma solidity 0.8.30; contract Target { uint256 public number = 7; }'
    const target = await createDeployer(nodeUrl).deploy(compiledSource('Target.sol', source).get('Target')!)
    const url = `${server.url}/api/v5/chain/block/block-list?chainShortName=DEV&limit=20`
    // The devnet's own contracts are compiled at start: idle begins after them.
    await untilQuiet(server.url, url)
    const idle = await p99Of(url, seconds, perSecond)
    for (let i = 0; i < BOMBS; i++) await submitBomb(server.url, target, i)
    const bombed = await p99Of(url, seconds, perSecond)
    return { idleP99Ms: idle, bombedP99Ms: bombed, ratio: bombed / idle } satisfies LatencyReport
  } finally {
    await server.stop()
  }
}

const WARM_UP_S = 20

const untilQuiet = async (base: string, url: string): Promise<void> => {
  while ((await fetch(`${base}/ready`)).status !== 200) await sleep(200)
  await p99Of(url, WARM_UP_S, 20)
}

/** By the pace of a clock, not by the pace of the answers: a stall is felt by all who come meanwhile. */
const p99Of = async (url: string, seconds: number, perSecond: number): Promise<number> => {
  const times: Promise<number>[] = []
  const startMs = performance.now()
  for (let i = 0; i < seconds * perSecond; i++) {
    await sleep(Math.max(0, startMs + (i * 1000) / perSecond - performance.now()))
    const time = timed(url)
    // One that fails is thrown below, when all have been sent.
    time.catch(() => {})
    times.push(time)
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)]!
}

const timed = async (url: string): Promise<number> => {
  const startMs = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  return performance.now() - startMs
}

/** Thousands of functions for the slowest pipeline there is. */
const submitBomb = async (base: string, address: Hex, seed: number): Promise<void> => {
  const functions = Array.from(
    { length: 3_000 },
    (_, i) => `function f${i}(uint256 a) external pure returns (uint256) { return a * ${seed + i} + a / ${i + 1}; }`,
  )
  const json = {
    language: 'Solidity',
    sources: { 'Bomb.sol': { content: `pragma solidity 0.8.30; contract Bomb { ${functions.join('\n')} }` } },
    settings: { viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } },
  }
  const body = new URLSearchParams({
    module: 'contract',
    action: 'verifysourcecode',
    contractaddress: address,
    sourceCode: JSON.stringify(json),
    codeformat: 'solidity-standard-json-input',
    contractname: 'Bomb.sol:Bomb',
    compilerversion: 'v0.8.30+commit.73712a01',
  })
  const answer = (await (await fetch(`${base}/api`, { method: 'POST', body })).json()) as { status: string }
  if (answer.status !== '1') throw new Error(JSON.stringify(answer))
}
