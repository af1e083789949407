// The verdict of a verification: everything that is proved about the contract, or the reason why the source is not that of the code
// on chain. A match is stored as JSON, so absent values are null.
import type { Abi } from 'viem'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { LinkedLibrary, StandardInput } from '../input/standard-input.ts'
import type { Language } from '../input/submission.ts'

export type ChainCode = {
  readonly address: Hex
  readonly runtime: Uint8Array
  /** The code that created it: the input of the transaction or of the CREATE call frame. Undefined where it is not known. */
  readonly creation: Uint8Array | undefined
}

export type Verdict = Match | Mismatch

/** `exact`: the metadata hash is equal too, and with it every byte of the sources. `partial`: the code is equal, comments may differ. */
export type MatchLevel = 'exact' | 'partial'

export type Match = {
  readonly type: 'match'
  readonly match: MatchLevel
  readonly runtime: MatchLevel
  /** Null: the creation code is not known, or it differs; then `match` is at most partial and `notes` says so. */
  readonly creation: MatchLevel | null
  readonly contract: ContractId
  /** Without a leading v: `0.8.30+commit.73712a01`. */
  readonly compiler: string
  readonly language: Language
  readonly abi: Abi
  /** The input that compiles to this code, with the file name that was found for a single file. */
  readonly standardInput: StandardInput
  readonly sources: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
  /** The compiler's metadata, verbatim. Vyper has none. */
  readonly metadata: string | null
  /** Null: the creation code is not known. `0x`: there are none. */
  readonly constructorArguments: Hex | null
  readonly decodedArguments: readonly DecodedArgument[] | null
  readonly libraries: readonly LinkedLibrary[]
  readonly immutables: readonly Immutable[]
  /** Where the code on chain says that its metadata is: `ipfs://…`, `bzzr://…`, or empty. */
  readonly swarmSource: string
  readonly storageLayout: unknown
  readonly devdoc: unknown
  readonly userdoc: unknown
  readonly methodIdentifiers: Readonly<Record<string, string>>
  /** EIP-5202: the address holds creation code for factories to copy; it cannot be called. */
  readonly isBlueprint: boolean
  readonly optimizer: { readonly enabled: boolean; readonly runs: number }
  /** Empty: the default of the compiler. */
  readonly evmVersion: string
  /** Sentences for a reader, such as another compiler named by the metadata on chain. */
  readonly notes: readonly string[]
}

export type ContractId = { readonly file: string; readonly name: string }
export type DecodedArgument = { readonly name: string; readonly type: string; readonly value: unknown }

export type Immutable = {
  /** The compiler's number for the variable. */
  readonly id: string
  readonly value: Hex
  readonly offsets: readonly number[]
}

export type Mismatch = {
  readonly type: 'failure'
  readonly code: FailureCode
  /** One or more sentences for the user. */
  readonly message: string
  readonly details: FailureDetails
}

export type FailureCode =
  | 'invalid_compiler_version'
  | 'compiler_not_available'
  | 'compiler_error'
  | 'compiler_timeout'
  | 'compiler_out_of_memory'
  | 'compiler_output_too_large'
  | 'compiler_crashed'
  | 'verifier_busy'
  | 'contract_not_deployed'
  | 'contract_not_found'
  | 'contract_has_no_code'
  | 'library_mismatch'
  | 'immutable_mismatch'
  | 'constructor_arguments_mismatch'
  | 'extra_file_input_bug'
  | 'no_match'

export type FailureDetails = {
  /** The compiler's own errors, formatted. */
  readonly errors?: readonly string[]
  readonly compilerSubmitted?: string
  /** The compiler that the metadata on chain names. */
  readonly compilerOnChain?: string
  readonly firstDifference?: Difference
  /** `file:Name` of contracts of the sources that do match. */
  readonly matchingContracts?: readonly string[]
  /** `file:Name` of the contracts that were compiled, where the named one is not among them. */
  readonly availableContracts?: readonly string[]
  readonly likelySetting?: string
}

/** The first byte at which the compiled code differs from the code on chain. */
export type Difference = {
  readonly code: 'runtime' | 'creation'
  readonly offset: number
  readonly lies: 'metadata' | 'immutable' | 'library' | 'code' | 'length' | 'constructorArguments'
  readonly expected: Hex
  readonly found: Hex
  /** The bytes right before the difference, which help to find the location in a disassembly. */
  readonly expectedBefore: Hex
  readonly foundBefore: Hex
  readonly compiledLength: number
  readonly chainLength: number
}

export function failureVerdict(code: FailureCode, message: string, details: FailureDetails = {}): Mismatch {
  return { type: 'failure', code, message, details }
}
