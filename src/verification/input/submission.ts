// A submission: what a user says that the source of a contract is. Its shape is checked where it arrives; it is not yet compiled.
// It is stored as the payload of a verification job, so absent values are null.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { StandardInput } from './standard-input.ts'

export type Language = 'solidity' | 'vyper'

export type Submission = {
  readonly language: Language
  readonly input: SubmittedInput
  /** `Token`, or `contracts/Token.sol:Token` where several files have a contract of that name. */
  readonly contractName: string
  /**
   * As the user wrote it: `v0.8.30+commit.73712a01`, `vyper:0.3.10`. Null: the version is taken from the metadata on chain, else from
   * the pragmas.
   */
  readonly compilerVersion: string | null
  /** Libraries that the user declares beside the input; the code on chain must be linked to these. */
  readonly libraries: readonly DeclaredLibrary[]
  /** ABI-encoded; where they are given, the creation code must end in exactly these bytes. */
  readonly constructorArguments?: Hex
  readonly licenseType?: string
}

export type SubmittedInput = { readonly type: 'standardJson'; readonly json: StandardInput } | SingleFile

export type SingleFile = {
  readonly type: 'singleFile'
  readonly source: string
  readonly optimizer: boolean
  readonly runs: number
  /** Null: the default of the compiler. */
  readonly evmVersion: string | null
  readonly viaIr: boolean
}

export type DeclaredLibrary = {
  /** `Name`, or `file.sol:Name`. */
  readonly name: string
  readonly address: Hex
}
