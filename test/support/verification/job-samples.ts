// A submission and its result, for tests of the queue alone: nothing is compiled.
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import type { Submission } from '../../../src/verification/input/submission.ts'
import type { JobResult } from '../../../src/verification/jobs/job-result.ts'

export const CODE_HASH: Hex = `0x${'cd'.repeat(32)}`
export const VERIFIED: JobResult = {
  type: 'verified',
  match: 'exact',
  runtime: 'exact',
  creation: 'exact',
  contract: 'A.sol:A',
}

export function addressOf(number: number): Hex {
  return `0x${number.toString(16).padStart(40, '0')}`
}

export function submission(source: string): Submission {
  return {
    language: 'solidity',
    input: { type: 'singleFile', source, optimizer: true, runs: 200, evmVersion: null, viaIr: false },
    contractName: 'A',
    compilerVersion: '0.8.30',
    libraries: [],
  }
}
