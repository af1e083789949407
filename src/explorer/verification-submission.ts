// What the three ways of submitting a source say, as one kind of submission. A field that cannot be used is refused by name.
import type { Hex } from '../chain/bytes/hex.ts'
import type { ParamsOf } from '../contract/endpoint.ts'
import type { Endpoints } from '../contract/endpoints.ts'
import { Failure } from '../contract/failure.ts'
import { parseStandardInput } from '../verification/input/standard-input.ts'
import type { DeclaredLibrary, Language, Submission, SubmittedInput } from '../verification/input/submission.ts'

/** With or without 0x, as tools print it; what begins with 0x is nothing else. */
const LIKE_HEX = /^\s*(0x|[0-9a-f]+\s*$)/i

/** Of the fields beside the source: they are stored with the job, and some are named in its result. */
const MAX_CHARS = { contractName: 1_000, compilerVersion: 200, licenseType: 200 } as const
const MAX_EVM_VERSION_CHARS = 50
const MAX_ARGUMENTS_CHARS = 1_000_000

/** The optimizer's runs where a submission names none. */
const DEFAULT_RUNS = 200

type Named = {
  readonly contractName: string
  readonly compilerVersion: string | null
  readonly libraries: readonly DeclaredLibrary[]
  readonly constructorArguments?: string | undefined
  readonly licenseType?: string | undefined
  /** The name of the field that carries the standard JSON input, for refusals. */
  readonly inputParameter?: string
}

export type SubmittedFile = {
  readonly language: Language
  readonly source: string
  readonly optimizer: boolean
  readonly runs: number | undefined
  readonly evmVersion: string | undefined
  readonly viaIr: boolean
}

export function submissionFromParams(params: ParamsOf<Endpoints['verifySourceCode']>): Submission {
  const { codeFormat, sourceCode, contractAbi, compilerVersion, libraryInfo = [] } = params
  const named: Named = {
    contractName: params.contractName,
    compilerVersion: compilerVersion ?? null,
    libraries: libraryInfo.map(({ libraryName, libraryAddress }) => ({
      name: libraryName,
      address: libraryAddress,
    })),
    // The ABI follows from the source; users often put the constructor's arguments into this field.
    constructorArguments: contractAbi !== undefined && LIKE_HEX.test(contractAbi) ? contractAbi : undefined,
    licenseType: params.licenseType,
  }
  if (codeFormat === 'solidity-standard-json-input') return standardSubmission(sourceCode, named)
  const language = codeFormat === 'solidity-single-file' ? 'solidity' : 'vyper'
  if (language === 'vyper' && sourceCode.trimStart().startsWith('{')) return standardSubmission(sourceCode, named)
  return fileSubmission(
    {
      language,
      source: sourceCode,
      optimizer: params.optimization === '1',
      runs: params.optimizationRuns,
      evmVersion: params.evmVersion,
      viaIr: params.viaIr,
    },
    named,
  )
}

export function fileSubmission(file: SubmittedFile, named: Named): Submission {
  const { language, source, optimizer, runs = DEFAULT_RUNS, viaIr } = file
  const evmVersion = file.evmVersion === undefined || /^(default|)$/i.test(file.evmVersion) ? null : file.evmVersion
  if ((evmVersion?.length ?? 0) > MAX_EVM_VERSION_CHARS) {
    throw new Failure('parameterWrong', 'Parameter evmVersion error: there is no such version.')
  }
  return submissionOf(language, { type: 'singleFile', source, optimizer, runs, evmVersion, viaIr }, named)
}

/** From JSON text, or from what it was parsed to. */
export function standardSubmission(input: unknown, named: Named): Submission {
  const parsed = parseStandardInput(input)
  if (parsed.type === 'problem') {
    throw new Failure('parameterWrong', `Parameter ${named.inputParameter ?? 'sourceCode'} error: ${parsed.message}.`)
  }
  const language = parsed.input.language === 'Vyper' ? 'vyper' : 'solidity'
  return submissionOf(language, { type: 'standardJson', json: parsed.input }, named)
}

function submissionOf(language: Language, input: SubmittedInput, named: Named): Submission {
  const { contractName, compilerVersion, libraries, constructorArguments, licenseType } = named
  refuseOverlong(named)
  return {
    language,
    input,
    contractName,
    compilerVersion,
    libraries,
    ...(constructorArguments && { constructorArguments: argumentsFrom(constructorArguments) }),
    ...(licenseType && { licenseType }),
  }
}

function refuseOverlong(named: Named): void {
  for (const [name, limit] of Object.entries(MAX_CHARS)) {
    if ((named[name as keyof typeof MAX_CHARS]?.length ?? 0) > limit) {
      throw new Failure('parameterWrong', `Parameter ${name} error: must have at most ${limit} characters.`)
    }
  }
  const overlong = named.libraries.some(({ name }) => name.length > MAX_CHARS.contractName)
  if (overlong || (named.constructorArguments?.length ?? 0) > MAX_ARGUMENTS_CHARS) {
    throw new Failure('parameterWrong', 'The constructor arguments or the name of a library are too long.')
  }
}

function argumentsFrom(text: string): Hex {
  const digits = text.trim().toLowerCase().replace(/^0x/, '')
  if (/^([0-9a-f]{2})*$/.test(digits)) return `0x${digits}`
  const message = 'The constructor arguments must be hex, two digits a byte, as they stand behind the creation code.'
  throw new Failure('parameterWrong', message)
}
