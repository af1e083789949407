// What lib-sourcify says of the same sources and the same code on chain. Its compiler is ours, its chain is the code at hand.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { createCompile } from '../../src/verification/compile/compile.ts'
import type { CompilePool } from '../../src/verification/compile/pool.ts'
import type { Compilers } from '../../src/verification/compilers/compilers.ts'
import type { StandardInput } from '../../src/verification/input/standard-input.ts'
import type { ChainCode, ContractId } from '../../src/verification/matching/verdict.ts'
import { vectorFolder } from './vector-packages.ts'

export type Opinion = 'exact' | 'partial' | 'refused'
export type SecondOpinion = (question: {
  readonly version: string
  readonly input: StandardInput
  readonly contract: ContractId
  readonly chain: ChainCode
}) => Promise<Opinion>

/** It compiles a second time where it does not find the metadata at once. */
const MOST_OUTPUTS = 2
const LIMITS = { wallMs: 600_000, memoryBytes: 2 ** 31, outputBytes: 400_000_000 }

type Settings = { readonly outputSelection: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>
type Library = {
  SolidityCompilation: new (compiler: object, version: string, input: object, target: object) => object
  Verification: new (
    compilation: object,
    chain: object,
    address: string,
  ) => { verify: () => Promise<void>; readonly status: { readonly runtimeMatch: 'perfect' | 'partial' | null } }
  setLibSourcifyLoggerLevel?: (level: number) => void
}

/** Runtime code only: their view of creation needs a chain with transactions. */
export async function createSecondOpinion(parts: { pool: CompilePool; compilers: Compilers }): Promise<SecondOpinion> {
  const { pool, compilers } = parts
  const home = join(await vectorFolder(), 'node_modules/@ethereum-sourcify/lib-sourcify')
  const library: Library = createRequire(import.meta.url)(home)
  library.setLibSourcifyLoggerLevel?.(0)
  /** All outputs of a package are hundreds of megabytes: only those of the last question are cached. */
  const outputs = new Map<string, Promise<unknown>>()

  const compiler = {
    compile: (version: string, { settings, ...input }: StandardInput & { settings: Settings }): Promise<unknown> => {
      const key = createHash('sha256')
        .update(JSON.stringify([version, input, settings]))
        .digest('hex')
      const known = outputs.get(key) ?? compileOnce(version, input, settings)
      outputs.delete(key)
      outputs.set(key, known)
      if (outputs.size > MOST_OUTPUTS) outputs.delete(outputs.keys().next().value!)
      return known
    },
  }
  const compileOnce = async (version: string, input: Omit<StandardInput, 'settings'>, settings: Settings) => {
    const signal = AbortSignal.timeout(LIMITS.wallMs)
    const found = await compilers.compiler('solidity', version.replace(/\+.*/, ''), signal)
    if (found.type === 'unavailable') throw new Error(found.reason)
    const { outputSelection, ...rest } = settings
    const compile = createCompile({ pool, limits: () => LIMITS })
    const compiled = await compile(
      { compiler: found.compiler, input: { ...input, settings: rest }, outputSelection },
      signal,
    )
    if (compiled.type === 'failed') throw new Error(compiled.message)
    return compiled.output
  }

  return async ({ version, input, contract, chain }) => {
    const target = { path: contract.file, name: contract.name }
    const compilation = new library.SolidityCompilation(compiler, version, structuredClone(input), target)
    const code = { chainId: 1, getBytecode: () => Promise.resolve(bytesToHex(chain.runtime)) }
    const verification = new library.Verification(compilation, code, chain.address)
    try {
      await verification.verify()
    } catch {
      return 'refused'
    }
    const { runtimeMatch } = verification.status
    return runtimeMatch === 'perfect' ? 'exact' : (runtimeMatch ?? 'refused')
  }
}
