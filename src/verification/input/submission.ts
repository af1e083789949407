// What somebody says a contract's source is: checked for shape at the door, not yet compiled.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { StandardInput } from './standard-input.ts'

export type Language = 'solidity' | 'vyper'

export type Submission = {
  readonly language: Language
  readonly input: SubmittedInput
  /** `Token`, or `contracts/Token.sol:Token` where several files have one of that name. */
  readonly contractName: string
  /** As the user wrote it: `v0.8.30+commit.73712a01`, `vyper:0.3.10`. Null: the code on chain says, or the pragma does. */
  readonly compilerVersion: string | null
  /** Libraries the user declares beside the input; the code on chain must be linked to these. */
  readonly libraries: readonly DeclaredLibrary[]
  /** ABI-encoded; where it is given the creation code must end in exactly this. */
  readonly constructorArguments?: Hex
  readonly licenseType?: string
}

export type SubmittedInput = { readonly type: 'standardJson'; readonly json: StandardInput } | SingleFile

export type SingleFile = {
  readonly type: 'singleFile'
  readonly source: string
  readonly optimizer: boolean
  readonly runs: number
  /** Null: what the compiler takes by itself. */
  readonly evmVersion: string | null
  readonly viaIr: boolean
}

export type DeclaredLibrary = {
  /** `Name`, or `file.sol:Name`. */
  readonly name: string
  readonly address: Hex
}
