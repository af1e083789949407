// Detects the fork of a chain from one block, for nodes whose genesis file is not at hand. Each fork up to Jovian that changes execution
// on chains with flashblocks also changed the header or the first deposit of a block. Karst marks only its first block, by the deposits
// of its upgrade; the blocks after it look like Jovian's (pending/fork-rules.ts asks the node about them).

import { bigintToBytes, bytesToHex, concatBytes, type Hex } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import type { BlockTransaction } from '../codec/foreign-transaction.ts'
import type { Header } from '../codec/header.ts'
import { DEPOSIT } from '../codec/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './addresses.ts'
import type { Fork } from './forks.ts'

export type ForkMarks = {
  /** For a flashblock these are the fields of its base. */
  readonly header: Pick<Header, 'extraData'> &
    Partial<Pick<Header, 'requestsHash' | 'parentBeaconBlockRoot' | 'withdrawalsRoot' | 'baseFeePerGas' | 'difficulty'>>
  readonly transactions: readonly BlockTransaction[]
}

export function detectFork({ header, transactions }: ForkMarks): Fork {
  const { extraData, requestsHash, parentBeaconBlockRoot, withdrawalsRoot } = header
  const selector = attributesSelector(transactions)
  if (selector !== null) {
    if (transactions.some(isKarstUpgrade)) return 'karst'
    // The first block of a fork still has the deposit of the fork before it, so either mark is enough.
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

/** What in the block no fork that this version knows can have made, in words; null where everything is known. */
export function unknownMark({ header: { extraData }, transactions }: ForkMarks): string | null {
  const selector = attributesSelector(transactions)
  if (selector === null) return null
  if (!KNOWN_SELECTORS.has(selector)) return `its L1 attributes have the unknown selector ${selector}`
  const isKnownForm = KNOWN_EXTRA_BYTES.has(extraData.length) && (extraData[0] ?? 0) <= NEWEST_EXTRA_VERSION
  return isKnownForm ? null : `its extra data ${bytesToHex(extraData)} has an unknown form`
}

/** Null where the block does not begin with the deposit that every block of the OP Stack begins with. */
function attributesSelector([first]: readonly BlockTransaction[]): Hex | null {
  if (first?.transaction.type !== DEPOSIT || first.from !== L1_ATTRIBUTES_DEPOSITOR) return null
  return bytesToHex(first.transaction.data.subarray(0, 4))
}

function isKarstUpgrade({ transaction }: BlockTransaction): boolean {
  return transaction.type === DEPOSIT && KARST_UPGRADE_SOURCES.has(transaction.sourceHash)
}

/** The source hash of an upgrade's deposit: domain 2, and what the deposit is for. */
export function upgradeSourceHash(intent: string): Hex {
  const inner = keccak256(new TextEncoder().encode(intent))
  return bytesToHex(keccak256(concatBytes(bigintToBytes(UPGRADE_DOMAIN, 32), inner)))
}

const UPGRADE_DOMAIN = 2n
/** The first deposit of the upgrade; releases of the rollup node have named it with and without its index. */
const KARST_UPGRADE_SOURCES: ReadonlySet<Hex> = new Set(
  ['Karst 0', 'karst 0', 'Karst'].map((prefix) => upgradeSourceHash(`${prefix}: ConditionalDeployer Deployment`)),
)

const JOVIAN_SELECTOR = '0x3db6be2b'
const ISTHMUS_SELECTOR = '0x098999be'
const ECOTONE_SELECTOR = '0x440a5e20'
const BEDROCK_SELECTOR = '0x015d8eb9'
const KNOWN_SELECTORS: ReadonlySet<string> = new Set([
  BEDROCK_SELECTOR,
  ECOTONE_SELECTOR,
  ISTHMUS_SELECTOR,
  JOVIAN_SELECTOR,
])
const HOLOCENE_EXTRA_BYTES = 9
const JOVIAN_EXTRA_BYTES = 17
const KNOWN_EXTRA_BYTES: ReadonlySet<number> = new Set([0, HOLOCENE_EXTRA_BYTES, JOVIAN_EXTRA_BYTES])
const NEWEST_EXTRA_VERSION = 1
