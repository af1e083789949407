// A verified contract as a row of the store and as the explorer reads it.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import type { VerifiedRow } from '../../store/jobs/verified-contracts.ts'
import type { Submission } from '../input/submission.ts'
import type { ChainCode, Match } from '../matching/verdict.ts'

/** Everything that the verdict of a match has; the files are in `standardInput`. */
export type VerifiedContract = Omit<Match, 'type' | 'sources' | 'match'> & {
  readonly address: Hex
  /** `similar`: another contract with the same runtime code was verified, and these are its source and ABI. */
  readonly match: Match['match'] | 'similar'
  readonly similarTo: Hex | null
  readonly submittedAs: Submission['input']['type']
  readonly licenseType: string
  readonly verifiedMs: number
}

type Detail = Omit<VerifiedContract, 'address' | 'match' | 'similarTo' | 'verifiedMs'>

export function verifiedRow(
  { type: _, sources: __, match, ...rest }: Match,
  context: { chain: ChainCode; submission: Submission; guid: string; nowMs: number },
): VerifiedRow {
  const { chain, submission, guid, nowMs } = context
  const detail: Detail = {
    ...rest,
    submittedAs: submission.input.type,
    licenseType: submission.licenseType ?? '',
  }
  return {
    address: chain.address,
    codeHash: bytesToHex(keccak256(chain.runtime)),
    rank: match,
    name: rest.contract.name,
    language: rest.language,
    compiler: rest.compiler,
    verifiedMs: nowMs,
    guid,
    // Constructor arguments may be bigints, which JSON.stringify refuses.
    detail: JSON.stringify(detail, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
  }
}

export function verifiedContract({ address, rank, verifiedMs, detail }: VerifiedRow): VerifiedContract {
  return {
    ...(JSON.parse(detail) as Detail),
    address,
    match: rank,
    similarTo: null,
    verifiedMs,
  }
}

/** The verified contract of the row, for another address with the same runtime code. How that one was created is not known. */
export function similarContract(row: VerifiedRow, address: Hex): VerifiedContract {
  return {
    ...verifiedContract(row),
    address,
    match: 'similar',
    similarTo: row.address,
    creation: null,
    constructorArguments: null,
    decodedArguments: null,
  }
}
