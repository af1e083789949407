// Verifiers and servers that are killed while they work, over one database: whatever guid was given out must come to an end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Hex } from '../../../src/chain/hex.ts'
import { startLivelyDevnet } from '../devnet.ts'
import { freePort } from '../free-port.ts'
import { compiledSource, createDeployer } from './deployer.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const START_TIMEOUT_MS = 90_000
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

export const runWithKills = async (options: {
  kills: number
  databaseUrl?: string | undefined
  print: (line: string) => void
}): Promise<KillReport> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-kills-'))
  const devnet = await startLivelyDevnet()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const environment = {
    ...process.env,
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
    DATA_DIR: dataDir,
    RPC_URL: devnet.url,
    CHAIN_SHORT_NAME: 'DEV',
    AUTH: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMIT_IP: '0',
  }
  const startServer = () => started({ ...environment, ROLES: 'indexer,api', PORT: port })
  const startVerifier = () => started({ ...environment, ROLES: 'verifier', PORT: '0' })
  let server = await startServer()
  let verifiers = [await startVerifier(), await startVerifier()]
  const deployer = createDeployer(devnet.url)
  const submitted: Submitted[] = []
  try {
    for (let kill = 0; kill < options.kills; kill++) {
      submitted.push(...(await submissions(base, deployer, kill)))
      await sleep(Math.random() * 2_000)
      if (kill % SERVER_KILL_EVERY === SERVER_KILL_EVERY - 1) {
        await killed(server)
        server = await startServer()
      } else {
        const [victim, ...others] = verifiers
        await killed(victim!)
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
    for (const each of [server, ...verifiers]) await killed(each)
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const PASSED = 'Pass - Verified'
const FAILED = 'Fail - Unable to verify'

const sourceOf = (number: number): string =>
  `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\ncontract Number { function number() external pure returns (uint256) { return ${number}; } }`

/** The right source and two wrong ones for a contract of its own. */
const submissions = async (
  base: string,
  deployer: ReturnType<typeof createDeployer>,
  round: number,
): Promise<Submitted[]> => {
  const number = 1_000_000 + round * 10
  const address = await deployer.deploy(compiledSource('Number.sol', sourceOf(number)).get('Number')!)
  const answers: Submitted[] = []
  for (const change of [0, 1, 2]) {
    const guid = await submit(base, address, sourceOf(number + change))
    if (guid !== undefined) answers.push({ guid, isRight: change === 0 })
  }
  return answers
}

/** Undefined where it was not acknowledged. */
const submit = async (base: string, address: Hex, source: string): Promise<string | undefined> => {
  const body = new URLSearchParams({
    module: 'contract',
    action: 'verifysourcecode',
    contractaddress: address,
    sourceCode: source,
    codeformat: 'solidity-single-file',
    contractname: 'Number',
    compilerversion: 'v0.8.30+commit.73712a01',
    optimizationUsed: '1',
    runs: '200',
    evmversion: 'prague',
  })
  const answer = await fetch(`${base}/api`, { method: 'POST', body }).catch(() => undefined)
  const { status, result } = ((await answer?.json().catch(() => undefined)) ?? {}) as {
    status?: string
    result?: string
  }
  return status === '1' ? result : undefined
}

type Ended = { readonly result: string; readonly message: string }

const resultsOf = async (base: string, submitted: readonly Submitted[]): Promise<Map<string, Ended>> => {
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

const started = async (environment: NodeJS.ProcessEnv): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [main, 'start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('Ctrl-C stops')) ready.resolve()
    })
  }
  const fail = (reason: string) => ready.reject(new Error(`${reason}; it printed:\n${printed}`))
  child.once('exit', (code) => fail(`a process ended with code ${code}`))
  const timer = setTimeout(() => fail('a process did not start in time'), START_TIMEOUT_MS)
  await ready.promise
  clearTimeout(timer)
  return child
}

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
