// What a submission means for a compiler: which versions to try, which standard JSON inputs, and which outputs to ask for.
import { isAtLeast, parseCompilerVersion, releasesAllowed } from '../input/compiler-version.ts'
import type { StandardInput } from '../input/standard-input.ts'
import type { Language, SingleFile, Submission } from '../input/submission.ts'
import { compilerOnChain, trailingMetadata } from '../matching/code-metadata.ts'
import { type ChainCode, type ContractId, failureVerdict, type Mismatch } from '../matching/verdict.ts'

/** The file is undefined where the name alone says which contract is meant. */
export type NamedContract = { readonly file: string | undefined; readonly name: string }

/** `contracts/Token.sol:Token`, or `Token`. */
export function parseContractName(contractName: string): NamedContract {
  const colon = contractName.lastIndexOf(':')
  const name = contractName.slice(colon + 1).trim()
  return { file: colon > 0 ? contractName.slice(0, colon) : undefined, name: name.replace(/\.(sol|vy)$/, '') }
}

/** Ignores a file that is not among the sources: then the name alone counts. A contract of Vyper is named for its file. */
export function locateContract({ language, sources }: StandardInput, { file, name }: NamedContract): NamedContract {
  const files = Object.keys(sources)
  if (file !== undefined && files.includes(file)) return { file, name }
  if (language !== 'Vyper') return { file: undefined, name }
  const stem = (path: string): string => path.replace(/^.*\//, '').replace(/\.\w+$/, '')
  return { file: files.find((path) => stem(path) === name) ?? (files.length === 1 ? files[0] : undefined), name }
}

export type ChosenVersions = { readonly type: 'versions'; readonly versions: readonly string[] } | Mismatch

/** How many releases are tried where only pragmas limit the choice. */
const MAX_GUESSES = 3
const EXAMPLE = { solidity: 'v0.8.30+commit.73712a01', vyper: 'vyper:0.4.3' } as const

/** The version that the submission names, else the one that the code on chain names, else the newest releases that its pragmas allow. */
export async function chooseVersions(
  submission: Submission,
  chain: ChainCode,
  solidityReleases: () => Promise<readonly string[]>,
): Promise<ChosenVersions> {
  const { input, language } = submission
  const text = submission.compilerVersion ?? compilerOnChain(chain)
  if (text !== undefined) {
    const requested = parseCompilerVersion(text)
    if (!requested) {
      const message = `${text} is not a compiler version such as ${EXAMPLE[language]}.`
      return failureVerdict('invalid_compiler_version', message)
    }
    if (requested.isPrerelease) {
      const message = `${text} is not a release; only released compilers are available.`
      return failureVerdict('compiler_not_available', message)
    }
    return { type: 'versions', versions: [requested.version] }
  }
  if (language === 'vyper') {
    const message = 'The code on chain does not name its compiler: give the compiler version.'
    return failureVerdict('invalid_compiler_version', message)
  }
  const sources =
    input.type === 'singleFile' ? [input.source] : Object.values(input.json.sources).map(({ content }) => content)
  const versions = releasesAllowed({ sources, releases: await solidityReleases() }, MAX_GUESSES)
  if (versions.length > 0) return { type: 'versions', versions }
  const message = 'Neither the code on chain nor a pragma names an available compiler: give the compiler version.'
  return failureVerdict('invalid_compiler_version', message)
}

/** The inputs that the submission can mean for a compiler of this version, the likeliest first. */
export function inputsOf(submission: Submission, version: string, runtime: Uint8Array): readonly StandardInput[] {
  const { input, contractName, language } = submission
  if (input.type === 'standardJson') return [input.json]
  const { name } = parseContractName(contractName)
  return language === 'vyper' ? vyperInputs(input, name, version) : [solidityInput(input, name, { version, runtime })]
}

function solidityInput(
  file: SingleFile,
  name: string,
  { version, runtime }: { version: string; runtime: Uint8Array },
): StandardInput {
  const metadata = isAtLeast(version, '0.6.0') ? metadataSettings(version, runtime) : undefined
  return {
    language: 'Solidity',
    sources: { [`${name}.sol`]: { content: file.source } },
    settings: {
      optimizer: { enabled: file.optimizer, runs: file.runs },
      ...(file.evmVersion !== null && { evmVersion: file.evmVersion }),
      ...(file.viaIr && { viaIR: true }),
      ...(metadata && { metadata }),
    },
  }
}

/** The user is not asked what kind of hash the code ends in: the code on chain shows it. */
function metadataSettings(version: string, runtime: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const found = trailingMetadata(runtime)
  if (!found) return isAtLeast(version, '0.8.18') ? { appendCBOR: false } : undefined
  if (!found.hash) return { bytecodeHash: 'none' }
  return found.hash.type === 'bzzr1' ? { bytecodeHash: 'bzzr1' } : undefined
}

/** Forms ask about an optimizer, which users of Vyper do not know: the default of the compiler is tried first. */
function vyperInputs(file: SingleFile, name: string, version: string): readonly StandardInput[] {
  const input = (settings: Readonly<Record<string, unknown>>): StandardInput => ({
    language: 'Vyper',
    sources: { [`${name}.vy`]: { content: file.source } },
    settings: { ...(file.evmVersion !== null && { evmVersion: file.evmVersion }), ...settings },
  })
  const modes = isAtLeast(version, '0.3.10') ? ['none', 'codesize'] : [false]
  return [input({}), ...modes.map((optimize) => input({ optimize }))]
}

/** The same sources with one more line break each: they compile to the same code with another metadata hash. */
export function withLineBreaks(input: StandardInput): StandardInput {
  return {
    ...input,
    sources: Object.fromEntries(
      Object.entries(input.sources).map(([file, { content }]) => [file, { content: `${content}\n` }]),
    ),
  }
}

export type OutputSelection = Readonly<Record<string, unknown>>

const CODE = [
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
]
const ALL = ['abi', 'metadata', 'devdoc', 'userdoc', 'storageLayout', 'evm.methodIdentifiers', ...CODE]
const VYPER = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'userdoc', 'devdoc']

/**
 * Every output of one contract; of all contracts with the name where the file is not known. Selecting the one contract saves up to
 * half of the compile time and nearly all of the output.
 */
export function outputsOf(language: Language, version: string, { file, name }: NamedContract): OutputSelection {
  if (language === 'vyper') return vyperOutputs(version, file)
  // Compilers before 0.6 (some of 0.5 excepted) give no output for a contract name in the file '*'.
  const contract = file === undefined && !isAtLeast(version, '0.6.0') ? '*' : name
  return { [file ?? '*']: { [contract]: ALL } }
}

/** The code of every contract. */
export function allCode(language: Language, version: string): OutputSelection {
  return language === 'vyper' ? vyperOutputs(version, undefined) : { '*': { '*': ['abi', ...CODE] } }
}

/** The code of one contract and nothing else. */
export function codeOf({ file, name }: ContractId): OutputSelection {
  return { [file]: { [name]: CODE } }
}

function vyperOutputs(version: string, file: string | undefined): OutputSelection {
  return { [file ?? '*']: isAtLeast(version, '0.4.1') ? [...VYPER, 'layout'] : VYPER }
}
