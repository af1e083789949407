// What comes out of a verification: the contract that the source makes, or the reason why it does not make this one.
import type { Abi } from 'viem'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { StandardInput } from '../input/standard-input.ts'
import type { Language } from '../input/submission.ts'

export type ChainCode = {
  readonly address: Hex
  readonly runtime: Uint8Array
  /** What was executed to create it: the transaction's input, or the input of the create frame. Null: not known. */
  readonly creation: Uint8Array | null
}

export type Verdict = Match | Mismatch

/** `exact`: the metadata's hash is equal too, so that every byte of the sources is. `partial`: the code is, comments may differ. */
export type MatchLevel = 'exact' | 'partial'

export type Match = {
  readonly type: 'match'
  readonly match: MatchLevel
  readonly runtime: MatchLevel
  /** Null: the creation code is not known, or is other code (then `match` is at most partial and `notes` says so). */
  readonly creation: MatchLevel | null
  readonly contract: ContractId
  /** Without a leading v: `0.8.30+commit.73712a01`. */
  readonly compiler: string
  readonly language: Language
  readonly abi: Abi
  /** What gives this code when it is compiled, with the file name that was found for a single file. */
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
  /** `ipfs://…` or `bzzr://…` of the code on chain, else empty. */
  readonly swarmSource: string
  readonly storageLayout: unknown
  readonly devdoc: unknown
  readonly userdoc: unknown
  readonly methodIdentifiers: Readonly<Record<string, string>>
  /** EIP-5202: the address holds creation code to be copied, it cannot be called. */
  readonly isBlueprint: boolean
  readonly optimizer: { readonly enabled: boolean; readonly runs: number }
  /** Empty: what the compiler took by itself. */
  readonly evmVersion: string
  /** Sentences for a reader, such as another compiler named by the metadata on chain. */
  readonly notes: readonly string[]
}

export type ContractId = { readonly file: string; readonly name: string }
export type LinkedLibrary = { readonly file: string; readonly name: string; readonly address: Hex }
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

/** Whether the same submission could succeed at another time. */
export const failureCodes = {
  invalid_input: { passing: false },
  unsupported_language: { passing: false },
  invalid_compiler_version: { passing: false },
  compiler_not_available: { passing: true },
  compiler_error: { passing: false },
  compiler_timeout: { passing: true },
  compiler_out_of_memory: { passing: true },
  compiler_output_too_large: { passing: false },
  compiler_crashed: { passing: true },
  verifier_busy: { passing: true },
  contract_not_deployed: { passing: true },
  contract_not_found: { passing: false },
  contract_has_no_code: { passing: false },
  library_mismatch: { passing: false },
  immutable_mismatch: { passing: false },
  constructor_arguments_mismatch: { passing: false },
  extra_file_input_bug: { passing: false },
  no_match: { passing: false },
} as const

export type FailureCode = keyof typeof failureCodes

export type FailureDetails = {
  /** The compiler's own errors, formatted. */
  readonly errors?: readonly string[]
  readonly compilerSubmitted?: string
  /** As the metadata on chain names it. */
  readonly compilerOnChain?: string
  readonly firstDifference?: Difference
  /** `file:Name` of contracts among the sources that do match. */
  readonly matchingContracts?: readonly string[]
  /** `file:Name` of what was compiled, where the named contract is not among it. */
  readonly availableContracts?: readonly string[]
  readonly likelySetting?: string
}

export type Difference = {
  readonly code: 'runtime' | 'creation'
  readonly offset: number
  readonly lies: 'metadata' | 'immutable' | 'library' | 'code' | 'length' | 'constructorArguments'
  readonly expected: Hex
  readonly found: Hex
  /** What stands right before the place, to see where one is. */
  readonly expectedBefore: Hex
  readonly foundBefore: Hex
  readonly compiledLength: number
  readonly chainLength: number
}
