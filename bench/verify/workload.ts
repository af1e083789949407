// The same sources through our verifier and through bare solc, and the CPU time that each took, in all its processes.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { artifactOf, standardInputOf } from '../../devnet/contracts/artifact.ts'
import type { ContractName } from '../../devnet/contracts/catalogue.ts'
import { type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { outputsOf } from '../../src/verification/compile/compiler-input.ts'
import { createCompilePool } from '../../src/verification/compile/pool.ts'
import { createCompilers } from '../../src/verification/compilers/compilers.ts'
import { fetchEnvironmentFrom } from '../../src/verification/compilers/fetch-step.ts'
import type { StandardInput } from '../../src/verification/input/standard-input.ts'
import type { ChainCode } from '../../src/verification/matching/verdict.ts'
import { createVerifier } from '../../src/verification/verify.ts'
import { descendantsOf } from '../../test/support/descendants.ts'

export type Job = {
  readonly name: ContractName
  readonly input: StandardInput
  readonly chain: ChainCode
  /** What our verifier gives to the compiler, as text. */
  readonly compilerInput: string
}

const SOLC = '0.8.30'
const ADDRESS: Hex = '0x00000000000000000000000000000000c0ffee01'
const TICK_MS = 10
const signal = new AbortController().signal

export const workload: readonly Job[] = (
  ['AuroraDollar', 'StarAtlas', 'Lanterns', 'Pair', 'Router', 'Airdrop'] as const
).map((name) => jobOf(name))

export function ownVerifier(bare: ChildProcess) {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-bench-'))
  const pool = createCompilePool({ size: 1 })
  const verifier = createVerifier({
    compilers: createCompilers({ folder, pool, environment: fetchEnvironmentFrom(process.env, homedir()) }),
    pool,
  })
  const verify = async ({ name, input, chain }: Job): Promise<void> => {
    const submission = {
      language: 'solidity',
      input: { type: 'standardJson', json: input },
      contractName: name,
      compilerVersion: SOLC,
      libraries: [],
    } as const
    const verdict = await verifier.verify(submission, chain, { signal })
    if (verdict.type === 'failure' || verdict.match !== 'exact') throw new Error(`${name} is not matched exactly`)
  }
  return {
    verify,
    cpuMs: async (job: Job): Promise<number> => {
      const before = ownCpuMs(bare)
      await verify(job)
      return ownCpuMs(bare) - before
    },
    stop: async (): Promise<void> => {
      await verifier.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function startBareSolc(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./bare-solc-process.ts', import.meta.url)))
  await once(child, 'message')
  return child
}

export async function bareCpuMs(bare: ChildProcess, { compilerInput }: Job): Promise<number> {
  const before = cpuMsOf(bare.pid!)
  bare.send(compilerInput)
  await once(bare, 'message')
  return cpuMsOf(bare.pid!) - before
}

function jobOf(name: ContractName): Job {
  const artifact = artifactOf(name)
  const input = standardInputOf(name) as StandardInput
  const outputSelection = outputsOf('solidity', SOLC, { file: undefined, name })
  return {
    name,
    input,
    chain: { address: ADDRESS, runtime: hexToBytes(artifact.deployedBytecode), creation: undefined },
    compilerInput: JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } }),
  }
}

/** This process and all processes that it started, except the bare compiler. */
function ownCpuMs(bare: ChildProcess): number {
  const { user, system } = process.cpuUsage()
  const started = descendantsOf('self').filter((pid) => pid !== bare.pid)
  return started.reduce((sum, pid) => sum + cpuMsOf(pid), (user + system) / 1000)
}

/** User and system time of a process; zero if it has ended. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}
