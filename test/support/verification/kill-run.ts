// Verifiers and servers that are killed while they work, over one database: whatever guid was given out must come to an end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLivelyDevnet } from '../devnet.ts'
import { type FirstlightProcess, startFirstlight } from '../firstlight-process.ts'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'
import { compiledSource, createDeployer } from './deployer.ts'
import { guidOf } from './submit.ts'

const END_TIMEOUT_MS = 180_000
/** Of the kills this part is of the process that takes submissions, the others are of those that work. */
const SERVER_KILL_EVERY = 3

export type KillReport = {
  readonly kills: number
  readonly acknowledged: number
  readonly succeeded: number
  readonly failed: number
  readonly unfinished: readonly string[]
  readonly wrong: readonly string[]
  /** Why right ones failed: a process may die too often, nothing else. */
  readonly unlucky: readonly string[]
}

type Submitted = { readonly guid: string; readonly isRight: boolean }

export async function runWithKills(options: {
  kills: number
  databaseUrl?: string | undefined
  print: (line: string) => void
}): Promise<KillReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-kills-'))
  const devnet = await startLivelyDevnet()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const environment = {
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
    RPC_URL: devnet.url,
    CHAIN_SHORT_NAME: 'DEV',
    AUTH: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMIT_IP: '0',
  }
  const started: FirstlightProcess[] = []
  const start = async (roles: Record<string, string>): Promise<FirstlightProcess> => {
    const one = await startFirstlight(['start'], { ...environment, ...roles }, { dataDir, keepData: true })
    started.push(one)
    return one
  }
  const startServer = async () => {
    const server = await start({ ROLES: 'indexer,api', PORT: port })
    await until(
      async () => (await fetch(`${base}/ready`)).status,
      (status) => status === 200,
    )
    return server
  }
  const startVerifier = () => start({ ROLES: 'verifier', PORT: '0' })
  const deployer = createDeployer(devnet.url)
  const submitted: Submitted[] = []
  try {
    let server = await startServer()
    let verifiers = [await startVerifier(), await startVerifier()]
    for (let kill = 0; kill < options.kills; kill++) {
      submitted.push(...(await submissions(base, deployer, kill)))
      await sleep(Math.random() * 2_000)
      if (kill % SERVER_KILL_EVERY === SERVER_KILL_EVERY - 1) {
        await server.stop('SIGKILL')
        server = await startServer()
      } else {
        const [victim, ...others] = verifiers
        await victim!.stop('SIGKILL')
        verifiers = [...others, await startVerifier()]
      }
      options.print(`kill ${kill + 1} of ${options.kills}, ${submitted.length} acknowledged`)
    }
    const results = await resultsOf(base, submitted)
    const count = (wanted: string) => [...results.values()].filter(({ result }) => result === wanted).length
    return {
      kills: options.kills,
      acknowledged: submitted.length,
      succeeded: count(PASSED),
      failed: count(FAILED),
      unfinished: submitted.flatMap(({ guid }) => (results.has(guid) ? [] : [guid])),
      wrong: submitted.flatMap(({ guid, isRight }) => (results.get(guid)?.result === PASSED && !isRight ? [guid] : [])),
      unlucky: submitted.flatMap(({ guid, isRight }) => {
        const ended = results.get(guid)
        return isRight && ended?.result === FAILED ? [ended.message] : []
      }),
    }
  } finally {
    for (const each of started) await each.stop('SIGKILL')
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const PASSED = 'Pass - Verified'
const FAILED = 'Fail - Unable to verify'

function sourceOf(number: number): string {
  return `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\ncontract Number { function number() external pure returns (uint256) { return ${number}; } }`
}

/** Two wrong sources and the right one for a contract of its own, last: whatever comes after it is verified already. */
async function submissions(
  base: string,
  deployer: ReturnType<typeof createDeployer>,
  round: number,
): Promise<Submitted[]> {
  const number = 1_000_000 + round * 10
  const address = await deployer.deploy(compiledSource('Number.sol', sourceOf(number)).get('Number')!)
  const answers: Submitted[] = []
  for (const change of [1, 2, 0]) {
    const guid = await guidOf(base, {
      contractaddress: address,
      sourceCode: sourceOf(number + change),
      codeformat: 'solidity-single-file',
      contractname: 'Number',
      optimizationUsed: '1',
      runs: '200',
      evmversion: 'prague',
    })
    if (guid !== undefined) answers.push({ guid, isRight: change === 0 })
  }
  return answers
}

type Ended = { readonly result: string; readonly message: string }

async function resultsOf(base: string, submitted: readonly Submitted[]): Promise<Map<string, Ended>> {
  const results = new Map<string, Ended>()
  const giveUpMs = Date.now() + END_TIMEOUT_MS
  while (results.size < submitted.length && Date.now() < giveUpMs) {
    for (const { guid } of submitted) {
      if (results.has(guid)) continue
      const answer = await fetch(`${base}/api?module=contract&action=checkverifystatus&guid=${guid}`)
      const ended = (await answer.json()) as Ended
      if (ended.result === PASSED || ended.result === FAILED) results.set(guid, ended)
    }
    await sleep(200)
  }
  return results
}
