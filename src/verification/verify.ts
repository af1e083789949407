// A submission and the code on chain in, a verdict out: which compiler, which inputs, what they make, whether it is the same.
import { type Compile, createCompile } from './compile/compile.ts'
import type { CompilePool } from './compile/pool.ts'
import type { ResultCache } from './compile/result-cache.ts'
import { type Compiler, isAtLeast, releaseOf } from './compilers/compiler.ts'
import { wantedCompilers } from './compilers/compiler-versions.ts'
import type { Compilers } from './compilers/compilers.ts'
import { allCode, codeOf, outputsOf } from './input/output-selection.ts'
import { appendsMetadata } from './input/settings.ts'
import { solidityInputs, vyperInputs } from './input/single-file-input.ts'
import type { StandardInput } from './input/standard-input.ts'
import type { Submission } from './input/submission.ts'
import { type CompiledContract, contractsOf } from './matching/compiled-contract.ts'
import { compilerOnChain, explained } from './matching/explain.ts'
import { type CodeMismatch, type MatchAnswer, matchContract } from './matching/match.ts'
import { alteredInput, provenMetadata } from './matching/proven-metadata.ts'
import type { ChainCode, FailureCode, FailureDetails, Mismatch, Verdict } from './matching/verdict.ts'
import { verdictOfMatch } from './matching/verdict-of-match.ts'

export type Stage =
  | { readonly type: 'fetchingCompiler'; readonly compiler: string }
  | { readonly type: 'compiling'; readonly compiler: string }
  | { readonly type: 'matching'; readonly contract: string }
  /** No match: the other contracts among the sources are compared, to be able to say which one it is. */
  | { readonly type: 'explaining' }

export type VerifyOptions = { readonly onStage?: (stage: Stage) => void; readonly signal: AbortSignal }

export type Verifier = {
  /** Throws only when `signal` aborts, and on a bug: everything else is a verdict. */
  verify: (submission: Submission, chain: ChainCode, options: VerifyOptions) => Promise<Verdict>
  /** Ends the compilers' processes, and what is being fetched. */
  stop: () => Promise<void>
}

export type VerifierParts = { readonly compilers: Compilers; readonly pool: CompilePool; readonly cache?: ResultCache }

export function createVerifier({ compilers, pool, cache }: VerifierParts): Verifier {
  const compile = createCompile({ pool, ...(cache && { cache }) })
  return {
    verify: async (submission, chain, { onStage = () => {}, signal }) => {
      if (chain.runtime.length === 0) return failure('contract_not_deployed', 'There is no code at this address.')
      const wanted = await wantedCompilers({ compilers, submission, chain }, signal)
      if (wanted.type === 'failure') return wanted
      let worst: Mismatch | null = null
      for (const version of wanted.versions) {
        onStage({ type: 'fetchingCompiler', compiler: `${submission.language} ${version}` })
        const available = await compilers.compiler(submission.language, version, signal)
        if (available.type === 'unavailable') {
          worst ??= failure(
            'compiler_not_available',
            `The ${submission.language} compiler ${version} is not available: ${available.reason}.${otherCompiler(chain, version)}`,
          )
          continue
        }
        const attempt = { compile, submission, chain, compiler: available.compiler, onStage, signal }
        const verdict = await attemptWith(attempt)
        if (verdict.type === 'match') return verdict
        worst ??= verdict
      }
      return worst!
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

/** Every input that the submission can mean, until one makes the code. The first one's failure is the one that is told. */
async function attemptWith(attempt: Attempt): Promise<Verdict> {
  let first: Mismatch | null = null
  for (const input of inputsOf(attempt)) {
    const verdict = await verifyInput(attempt, input)
    if (verdict.type === 'match') return verdict
    first ??= verdict
    if (verdict.code !== 'no_match' && verdict.code !== 'compiler_error') break
  }
  return first!
}

function inputsOf({ submission, compiler, chain }: Attempt): readonly StandardInput[] {
  const { input, contractName, language } = submission
  if (input.type === 'standardJson') return [input.json]
  const question = {
    file: input,
    name: wantedContract(contractName).name,
    version: compiler.version,
    runtime: chain.runtime,
  }
  return language === 'vyper' ? vyperInputs(question) : solidityInputs(question)
}

async function verifyInput(attempt: Attempt, input: StandardInput): Promise<Verdict> {
  const { compile, submission, compiler, onStage, signal } = attempt
  const { language, version } = compiler
  const wanted = locatedIn(input, wantedContract(submission.contractName))
  onStage({ type: 'compiling', compiler: compiler.longVersion })
  const compiled = await compile({ compiler, input, outputSelection: outputsOf(language, version, wanted) }, signal)
  if (compiled.type === 'failed') {
    const { code, message, errors } = compiled
    const hint = errors.some(isMissingFile) ? missingFileHint(submission) : otherCompiler(attempt.chain, version).trim()
    return failure(code, hint === '' ? message : `${message}\n${hint}`, { errors })
  }

  const named = contractsOf(compiled.output).filter(({ name }) => language === 'vyper' || name === wanted.name)
  const candidates = named.filter(({ runtime }) => runtime.bytes.length > 0)
  if (named.length > 0 && candidates.length === 0) {
    return failure('contract_has_no_code', `${wanted.name} is abstract or an interface: it has no code of its own.`)
  }
  let mismatch: { contract: CompiledContract; answer: CodeMismatch } | null = null
  for (const contract of candidates) {
    onStage({ type: 'matching', contract: `${contract.file}:${contract.name}` })
    const found = await matchProven(attempt, input, contract)
    if (found.type === 'match') {
      const { chain } = attempt
      const given = submission.constructorArguments
      if (given !== undefined && found.constructorArguments !== null && given !== found.constructorArguments) {
        const message = `The constructor arguments are ${found.constructorArguments} on chain, not ${given}.`
        return failure('constructor_arguments_mismatch', message)
      }
      return verdictOfMatch({ submission, compiler, compiled: contract, input, chain, found })
    }
    if (found.type === 'mismatch') mismatch ??= { contract, answer: found }
  }
  onStage({ type: 'explaining' })
  return explainedMismatch(attempt, input, mismatch)
}

/** Compiles a second time only where the verdict hangs on what is metadata and what only looks like it. */
async function matchProven(attempt: Attempt, input: StandardInput, compiled: CompiledContract): Promise<MatchAnswer> {
  const { compile, compiler, signal } = attempt
  const answer = matchContract(questionOf(attempt, input, compiled))
  if (answer.type !== 'unproven') return answer
  const job = { compiler, input: alteredInput(input), outputSelection: codeOf(compiled) }
  const second = await compile(job, signal)
  const altered = second.type === 'output' ? contractsOf(second.output)[0] : undefined
  const proven = altered && {
    runtime: provenMetadata(compiled.runtime.bytes, altered.runtime.bytes),
    creation: provenMetadata(compiled.creation.bytes, altered.creation.bytes),
  }
  const proved = matchContract({ ...questionOf(attempt, input, compiled), ...(proven && { proven }) })
  return proved.type === 'unproven'
    ? { type: 'mismatch', reason: { type: 'code' }, difference: proved.difference }
    : proved
}

function questionOf({ submission, chain, compiler }: Attempt, input: StandardInput, compiled: CompiledContract) {
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

/** Looks at the other contracts too: people often name the wrong one. */
async function explainedMismatch(
  attempt: Attempt,
  input: StandardInput,
  mismatch: { contract: CompiledContract; answer: CodeMismatch } | null,
): Promise<Mismatch> {
  const { compile, submission, compiler, chain, signal } = attempt
  const outputSelection = allCode(compiler.language, compiler.version)
  const all = await compile({ compiler, input, outputSelection }, signal)
  const contracts = all.type === 'output' ? contractsOf(all.output) : []
  const others = contracts.filter(({ runtime }) => runtime.bytes.length > 0)
  const matching = others.filter((compiled) => matchContract(questionOf(attempt, input, compiled)).type === 'match')
  const matchingContracts = matching.map(({ file, name }) => `${file}:${name}`)
  if (mismatch) {
    const { contract, answer } = mismatch
    return explained({ compiler, compiled: contract, input, chain, mismatch: answer, matchingContracts })
  }
  const availableContracts = others.map(({ file, name }) => `${file}:${name}`).slice(0, MAX_LISTED)
  const hint =
    matchingContracts.length > 0
      ? ` The code on chain is that of ${matchingContracts.join(', ')}.`
      : ` They have ${availableContracts.slice(0, MAX_NAMED).join(', ') || 'no contract with code'}.`
  return failure('contract_not_found', `There is no contract ${submission.contractName} among the sources.${hint}`, {
    availableContracts,
    ...(matchingContracts.length > 0 && { matchingContracts }),
  })
}

const MAX_LISTED = 100
/** In a sentence. */
const MAX_NAMED = 10

/** A sentence where the code on chain names another compiler than the one that was asked for. */
function otherCompiler(chain: ChainCode, version: string): string {
  const onChain = compilerOnChain(chain)
  return onChain === null || releaseOf(onChain) === version
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

type WantedContract = { readonly file: string | null; readonly name: string }

/** `contracts/Token.sol:Token`, or `Token`. */
function wantedContract(contractName: string): WantedContract {
  const colon = contractName.lastIndexOf(':')
  const name = contractName.slice(colon + 1).trim()
  return { file: colon > 0 ? contractName.slice(0, colon) : null, name: name.replace(/\.(sol|vy)$/, '') }
}

/** A file that is not among the sources is no help: then the name alone counts. Vyper's contracts are its files. */
function locatedIn({ language, sources }: StandardInput, { file, name }: WantedContract): WantedContract {
  const files = Object.keys(sources)
  if (file !== null && files.includes(file)) return { file, name }
  if (language !== 'Vyper') return { file: null, name }
  const stem = (path: string): string => path.replace(/^.*\//, '').replace(/\.\w+$/, '')
  return { file: files.find((path) => stem(path) === name) ?? (files.length === 1 ? files[0]! : null), name }
}

export function failure(code: FailureCode, message: string, details: FailureDetails = {}): Mismatch {
  return {
    type: 'failure',
    code,
    message,
    details,
  }
}
