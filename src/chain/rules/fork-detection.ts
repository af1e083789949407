// Detects the fork of a chain from one block, for nodes whose genesis file is not at hand. Each fork that changes execution on chains
// with flashblocks also changed the header or the first deposit of a block.

import { bytesToHex } from '../bytes/hex.ts'
import type { Header } from '../codec/header.ts'
import type { RecoveredTransaction } from '../codec/recovered-transaction.ts'
import { DEPOSIT } from '../codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './addresses.ts'
import type { Fork } from './forks.ts'

export type ForkMarks = {
  /** For a flashblock these are the fields of its base. */
  readonly header: Pick<Header, 'extraData'> &
    Partial<Pick<Header, 'requestsHash' | 'parentBeaconBlockRoot' | 'withdrawalsRoot' | 'baseFeePerGas' | 'difficulty'>>
  readonly transactions: readonly RecoveredTransaction[]
}

export function detectFork({ header, transactions: [first] }: ForkMarks): Fork {
  const { extraData, requestsHash, parentBeaconBlockRoot, withdrawalsRoot } = header
  if (first?.transaction.type === DEPOSIT && first.from === L1_ATTRIBUTES_DEPOSITOR) {
    // The first block of a fork still has the deposit of the fork before it, so either mark is enough.
    const selector = bytesToHex(first.transaction.data.subarray(0, 4))
    if (selector === JOVIAN_SELECTOR || extraData.length === JOVIAN_EXTRA_BYTES) return 'jovian'
    if (selector === ISTHMUS_SELECTOR || requestsHash !== undefined) return 'isthmus'
    if (extraData.length === HOLOCENE_EXTRA_BYTES) return 'holocene'
    // Fjord and Granite left no mark; every chain that runs today has both.
    if (selector === ECOTONE_SELECTOR) return 'granite'
    return withdrawalsRoot === undefined ? 'regolith' : 'canyon'
  }
  if (requestsHash !== undefined) return 'prague'
  if (parentBeaconBlockRoot !== undefined) return 'cancun'
  if (withdrawalsRoot !== undefined) return 'shanghai'
  if (header.difficulty === 0n) return 'paris'
  return header.baseFeePerGas === undefined ? 'berlin' : 'london'
}

const JOVIAN_SELECTOR = '0x3db6be2b'
const ISTHMUS_SELECTOR = '0x098999be'
const ECOTONE_SELECTOR = '0x440a5e20'
const HOLOCENE_EXTRA_BYTES = 9
const JOVIAN_EXTRA_BYTES = 17
