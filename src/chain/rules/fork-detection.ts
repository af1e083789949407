// Which fork a chain is at, told from a block alone, for nodes whose genesis file nobody has: each fork that changes execution on the
// chains that have flashblocks also left its mark on the block.

import { bytesToHex } from '../bytes/hex.ts'
import type { Header } from '../codec/header.ts'
import type { RecoveredTransaction } from '../codec/recovered-transaction.ts'
import { DEPOSIT } from '../codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './addresses.ts'
import type { Fork } from './forks.ts'

export type ForkMarks = {
  /** Of a flashblock what its base tells. */
  readonly header: Pick<Header, 'extraData'> &
    Partial<Pick<Header, 'requestsHash' | 'parentBeaconBlockRoot' | 'withdrawalsRoot' | 'baseFeePerGas' | 'difficulty'>>
  readonly transactions: readonly RecoveredTransaction[]
}

export function detectFork({ header, transactions: [first] }: ForkMarks): Fork {
  const { extraData, requestsHash, parentBeaconBlockRoot, withdrawalsRoot } = header
  if (first?.transaction.type === DEPOSIT && first.from === L1_ATTRIBUTES_DEPOSITOR) {
    // A fork's first block still has the deposit of the fork before: either mark is enough.
    const selector = bytesToHex(first.transaction.data.subarray(0, 4))
    if (selector === JOVIAN_SELECTOR || extraData.length === JOVIAN_EXTRA_BYTES) return 'jovian'
    if (selector === ISTHMUS_SELECTOR || requestsHash !== undefined) return 'isthmus'
    if (extraData.length === HOLOCENE_EXTRA_BYTES) return 'holocene'
    // Fjord and Granite leave no mark of their own; a chain that runs today has both.
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
