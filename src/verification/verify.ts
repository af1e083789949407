// Verifies one submission against the code on chain: chooses the compiler, compiles every input that the submission can mean, and
// matches the result. The verdict is the first match, or the reason why there is none.
import { type Compile, createCompile } from './compile/compile.ts'
import type { Compiler } from './compile/compiler.ts'
import {
  allCode,
  chooseVersions,
  codeOf,
  inputsOf,
  locateContract,
  outputsOf,
  parseContractName,
  withLineBreaks,
} from './compile/compiler-input.ts'
import type { CompilePool, SlotTimer } from './compile/pool.ts'
import type { ResultCache } from './compile/result-cache.ts'
import type { Compilers } from './compilers/compilers.ts'
import { isAtLeast, releaseOf } from './input/compiler-version.ts'
import { appendsMetadata, type StandardInput } from './input/standard-input.ts'
import type { Submission } from './input/submission.ts'
import { compilerOnChain, provenMetadata } from './matching/code-metadata.ts'
import { type CompiledContract, contractsOf } from './matching/compiled-contract.ts'
import { explainMismatch } from './matching/explain.ts'
import { type CodeMismatch, type MatchInput, type MatchResult, matchContract } from './matching/match.ts'
import { type ChainCode, failureVerdict, type Mismatch, type Verdict } from './matching/verdict.ts'
import { verdictOfMatch } from './matching/verdict-of-match.ts'

export type Stage =
  | { readonly type: 'fetchingCompiler'; readonly compiler: string }
  | { readonly type: 'compiling'; readonly compiler: string }
  | { readonly type: 'matching'; readonly contract: string }
  /** There is no match: the other contracts of the sources are compared too, because users often name the wrong one. */
  | { readonly type: 'explaining' }

export type VerifyOptions = {
  readonly onStage?: (stage: Stage) => void
  readonly signal: AbortSignal
  /** Runs while this submission has a compile slot. */
  readonly timer?: SlotTimer
  readonly whileFetching?: WhileFetching
}

/** Runs work that waits for a package registry and needs no place among the jobs that run. */
export type WhileFetching = <T>(fetch: () => Promise<T>) => Promise<T>

export type Verifier = {
  /** Throws only when `signal` aborts, and on a bug: everything else is a verdict. */
  verify: (submission: Submission, chain: ChainCode, options: VerifyOptions) => Promise<Verdict>
  /** Ends the processes of compilers, and fetches that are under way. */
  stop: () => Promise<void>
}

export type VerifierParts = { readonly compilers: Compilers; readonly pool: CompilePool; readonly cache?: ResultCache }

export function createVerifier({ compilers, pool, cache }: VerifierParts): Verifier {
  return {
    verify: async (submission, chain, { onStage = () => {}, signal, timer, whileFetching = (fetch) => fetch() }) => {
      const compile = createCompile({ pool, timer, ...(cache && { cache }) })
      if (chain.runtime.length === 0)
        return failureVerdict('contract_not_deployed', 'There is no code at this address.')
      const releases = () => whileFetching(() => compilers.solidityReleases(signal))
      const chosen = await chooseVersions(submission, chain, releases)
      if (chosen.type === 'failure') return chosen
      const { language } = submission
      let first: Mismatch | undefined
      for (const version of chosen.versions) {
        onStage({ type: 'fetchingCompiler', compiler: `${language} ${version}` })
        const available = await whileFetching(() => compilers.compiler(language, version, signal))
        if (available.type === 'unavailable') {
          const message = `The ${language} compiler ${version} is not available: ${available.reason}.${otherCompiler(chain, version)}`
          first ??= failureVerdict('compiler_not_available', message)
          continue
        }
        const verdict = await verifyWith({ compile, submission, chain, compiler: available.compiler, onStage, signal })
        if (verdict.type === 'match') return verdict
        first ??= verdict
      }
      return first!
    },
    stop: async () => {
      await Promise.all([pool.stop(), compilers.stop()])
    },
  }
}

type Attempt = {
  readonly compile: Compile
  readonly submission: Submission
  readonly chain: ChainCode
  readonly compiler: Compiler
  readonly onStage: (stage: Stage) => void
  readonly signal: AbortSignal
}

/** Tries every input that the submission can mean until one matches. The failure of the first, likeliest one is reported. */
async function verifyWith(attempt: Attempt): Promise<Verdict> {
  const { submission, compiler, chain } = attempt
  let first: Mismatch | undefined
  for (const input of inputsOf(submission, compiler.version, chain.runtime)) {
    const verdict = await verifyInput(attempt, input)
    if (verdict.type === 'match') return verdict
    first ??= verdict
    if (verdict.code !== 'no_match' && verdict.code !== 'compiler_error') break
  }
  return first!
}

async function verifyInput(attempt: Attempt, input: StandardInput): Promise<Verdict> {
  const { compile, submission, compiler, chain, onStage, signal } = attempt
  const { language, version } = compiler
  const named = locateContract(input, parseContractName(submission.contractName))
  onStage({ type: 'compiling', compiler: compiler.longVersion })
  const compiled = await compile({ compiler, input, outputSelection: outputsOf(language, version, named) }, signal)
  if (compiled.type === 'failed') {
    const { code, message, errors } = compiled
    const hint = errors.some(isMissingFile) ? missingFileHint(submission) : otherCompiler(chain, version).trim()
    return failureVerdict(code, hint === '' ? message : `${message}\n${hint}`, { errors })
  }

  const candidates = contractsOf(compiled.output).filter(({ name }) => language === 'vyper' || name === named.name)
  const withCode = candidates.filter(({ runtime }) => runtime.bytes.length > 0)
  if (candidates.length > 0 && withCode.length === 0) {
    const message = `${named.name} is abstract or an interface: it has no code of its own.`
    return failureVerdict('contract_has_no_code', message)
  }
  let closest: ClosestContract | undefined
  for (const contract of withCode) {
    onStage({ type: 'matching', contract: `${contract.file}:${contract.name}` })
    const match = await matchWithProof(attempt, input, contract)
    if (match.type === 'match') {
      const expected = submission.constructorArguments
      const found = match.constructorArguments
      if (expected !== undefined && found !== undefined && expected !== found) {
        const message = `The constructor arguments are ${found} on chain, not ${expected}.`
        return failureVerdict('constructor_arguments_mismatch', message)
      }
      return verdictOfMatch({ submission, compiler, compiled: contract, input, chain, match })
    }
    if (match.type === 'mismatch') closest ??= { contract, mismatch: match }
  }
  onStage({ type: 'explaining' })
  return explainFailure(attempt, input, closest)
}

type ClosestContract = { readonly contract: CompiledContract; readonly mismatch: CodeMismatch }

/** Compiles a second time only where the verdict depends on which bytes are metadata and which only look like it. */
async function matchWithProof(
  attempt: Attempt,
  input: StandardInput,
  compiled: CompiledContract,
): Promise<MatchResult> {
  const { compile, compiler, signal } = attempt
  const matchInput = matchInputOf(attempt, input, compiled)
  const match = matchContract(matchInput)
  if (match.type !== 'unproven') return match
  const job = { compiler, input: withLineBreaks(input), outputSelection: codeOf(compiled) }
  const second = await compile(job, signal)
  const altered = second.type === 'output' ? contractsOf(second.output)[0] : undefined
  const proven = altered && {
    runtime: provenMetadata(compiled.runtime.bytes, altered.runtime.bytes),
    creation: provenMetadata(compiled.creation.bytes, altered.creation.bytes),
  }
  const proved = matchContract(proven ? { ...matchInput, proven } : matchInput)
  return proved.type === 'unproven'
    ? { type: 'mismatch', reason: { type: 'code' }, difference: proved.difference }
    : proved
}

function matchInputOf(attempt: Attempt, input: StandardInput, compiled: CompiledContract): MatchInput {
  const { submission, chain, compiler } = attempt
  return {
    language: compiler.language,
    compiled,
    chain,
    endsInMetadata:
      input.language === 'Solidity' && isAtLeast(compiler.version, '0.4.7') && appendsMetadata(input.settings),
    libraries: submission.libraries,
    proven: { runtime: [], creation: [] },
  }
}

const MAX_LISTED = 100
/** In a sentence. */
const MAX_NAMED = 10

/** Compiles all contracts of the sources, to be able to say which one the code on chain is. */
async function explainFailure(
  attempt: Attempt,
  input: StandardInput,
  closest: ClosestContract | undefined,
): Promise<Mismatch> {
  const { compile, submission, compiler, chain, signal } = attempt
  const outputSelection = allCode(compiler.language, compiler.version)
  const all = await compile({ compiler, input, outputSelection }, signal)
  const contracts = all.type === 'output' ? contractsOf(all.output) : []
  const withCode = contracts.filter(({ runtime }) => runtime.bytes.length > 0)
  const matching = withCode.filter((compiled) => matchContract(matchInputOf(attempt, input, compiled)).type === 'match')
  const matchingContracts = matching.map(({ file, name }) => `${file}:${name}`)
  if (closest) {
    const { contract, mismatch } = closest
    return explainMismatch({ compiler, compiled: contract, input, chain, mismatch, matchingContracts })
  }
  const availableContracts = withCode.map(({ file, name }) => `${file}:${name}`).slice(0, MAX_LISTED)
  const hint =
    matchingContracts.length > 0
      ? ` The code on chain is that of ${matchingContracts.join(', ')}.`
      : ` They have ${availableContracts.slice(0, MAX_NAMED).join(', ') || 'no contract with code'}.`
  const message = `There is no contract ${submission.contractName} among the sources.${hint}`
  return failureVerdict('contract_not_found', message, {
    availableContracts,
    ...(matchingContracts.length > 0 && { matchingContracts }),
  })
}

/** A sentence for the case that the metadata on chain names another compiler than this version; otherwise empty. */
function otherCompiler(chain: ChainCode, version: string): string {
  const onChain = compilerOnChain(chain)
  return onChain === undefined || releaseOf(onChain) === version
    ? ''
    : ` The code on chain says that it was compiled by ${onChain}.`
}

function isMissingFile(error: string): boolean {
  return /Source "[^"]*" not found|ModuleNotFound/.test(error)
}

function missingFileHint({ input }: Submission): string {
  return input.type === 'singleFile'
    ? 'A single file cannot import others: flatten it into one, or submit a standard JSON input with all files.'
    : 'Each file that is imported must be among the sources, by the name that the import or a remapping makes of it.'
}
