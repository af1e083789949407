// Whether what we executed is what the feed says: gas, receipts, logs, balances. The state root cannot be told without the whole trie.

import { addressToHex, equalBytes } from '../chain/bytes/hex.ts'
import { unionOfBlooms } from '../chain/codec/bloom.ts'
import type { ExecutedBlock } from './execute-block.ts'
import { rootOfReceipts } from './receipt-fields.ts'

/** The first thing that differs, in words; null where nothing does. */
export function disagreementIn({ block, receipts, source }: ExecutedBlock): string | null {
  const { header, balances } = block
  const gasUsed = receipts.at(-1)?.cumulativeGasUsed ?? 0n
  if (gasUsed !== header.gasUsed) return `gas: ${gasUsed} here, ${header.gasUsed} there`
  if (rootOfReceipts(receipts) !== header.receiptsRoot) return 'receipts root'
  if (!equalBytes(unionOfBlooms(receipts.map(({ logsBloom }) => logsBloom)), header.logsBloom)) return 'logs bloom'
  for (const [address, told] of balances) {
    const balance = source.account(address)?.balance ?? 0n
    if (balance !== told) return `balance of ${addressToHex(address)}: ${balance} here, ${told} there`
  }
  return null
}
