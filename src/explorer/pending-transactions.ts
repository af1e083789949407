// Transactions that no indexed block has, as lists show them before those that are stored (docs/spec-gaps.md#21): first those that wait
// in a pool, then those that are preconfirmed in a block above the index.
import type { Hex } from '../chain/bytes/hex.ts'
import type { LedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import type { PendingTransactionRow } from '../preconfirmations/pending-row.ts'
import type { WaitingTransaction } from '../preconfirmations/transaction-pool.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { positionOf } from '../store/schema/position.ts'
import type { PendingSide } from './lists/paging.ts'
import type { ListedTransaction, PendingTransaction } from './records/transaction-record.ts'
import type { ChainContext } from './state/chain-context.ts'

/** A transaction that a list may show; of one that waits the height is not known. */
type Shown = Pick<PendingTransaction, 'sender' | 'recipient' | 'contractAddress' | 'value' | 'isQueued'> & {
  readonly block: { readonly height: number | null }
}

export type PendingFilter = {
  readonly address?: Hex | undefined
  readonly matches?: (row: Shown) => boolean
}

/** What of the pending transactions a list shows. Reads the store once for each transaction that waits. */
export async function pendingSide(chain: ChainContext, filter: PendingFilter): Promise<PendingSide<ListedTransaction>> {
  await removeStored(chain)
  const { address, matches = () => true } = filter
  const isMeant = (row: Shown): boolean => matches(row) && (address === undefined || isPartyOf(row, address))
  const bound = highestPosition(chain)
  const waiting = (chain.pool?.waiting() ?? []).filter(({ hash }) => !isInBlock(chain.ledger, hash))
  return {
    pending: preconfirmed(chain, address).filter(isMeant),
    pool: waiting.map((each) => listedWaiting(chain, each, bound)).filter(isMeant),
    carried: async (number, bound) => {
      const before = (chain.pool?.seenBefore(number) ?? []).map((each) => listedWaiting(chain, each, bound))
      return whatBecameOf(chain, before.filter(isMeant))
    },
  }
}

/** Whether such a list has pending transactions at the moment, so that its answer is of this moment only. */
export function hasPending(chain: ChainContext, { address, matches = () => true }: PendingFilter): boolean {
  const isMeant = (row: Shown): boolean => matches(row) && (address === undefined || isPartyOf(row, address))
  return (
    preconfirmed(chain, address).some(isMeant) ||
    (chain.pool?.waiting() ?? []).some((each) => isMeant({ ...each, contractAddress: null, block: NO_BLOCK }))
  )
}

export function preconfirmed({ ledger, heads }: ChainContext, address?: Hex): PendingTransaction[] {
  if (ledger === undefined) return []
  const rows = address === undefined ? ledger.pendingAbove(heads.latest) : ledger.pendingOf(address, heads.latest)
  return rows.map((row) => listedPreconfirmed(ledger, row))
}

/** Those of these hashes that are preconfirmed above the index or wait in a pool. `areAllKnown`: the node could be asked for the rest. */
export async function pendingByHash(
  chain: ChainContext,
  hashes: readonly Hex[],
): Promise<{ readonly found: PendingTransaction[]; readonly areAllKnown: boolean }> {
  const { ledger, pool, heads } = chain
  const rows = hashes.map((hash) => ledger?.pendingAt(hash, heads.latest) ?? null)
  const others = hashes.filter((hash, i) => rows[i] === null && pool?.get(hash) === undefined)
  const areAllKnown = others.length === 0 || ((await pool?.find(others)) ?? true)
  const bound = highestPosition(chain)
  const found = hashes.flatMap((hash, i): PendingTransaction[] => {
    const row = rows[i]
    if (ledger && row) return [listedPreconfirmed(ledger, row)]
    const waiting = pool?.get(hash)
    return waiting === undefined ? [] : [listedWaiting(chain, waiting, bound)]
  })
  return { found, areAllKnown }
}

/** `pendingComplete` of an answer: whether the node shows all that waits. */
export function isPoolShown({ pool }: ChainContext): boolean {
  return pool !== undefined && pool.missing() === undefined
}

/** Once it is in the index it waits no more; without a feed nobody else notices. Each is looked for once in each state of the index. */
async function removeStored({ pool, reader }: ChainContext): Promise<void> {
  const { version } = reader.state
  const unchecked = pool?.uncheckedIn(version) ?? []
  if (pool === undefined || unchecked.length === 0) return
  const stored = await transactionsByHash(reader, unchecked)
  pool.remove(stored.map(({ hash }) => hash))
  pool.checked(version, unchecked)
}

function isInBlock(ledger: LedgerMirror | undefined, hash: Hex): boolean {
  const record = ledger?.stagesOf(hash)?.record
  if (!record || record.droppedMs !== null) return false
  return record.preconfirmation !== null || record.inclusion !== null
}

async function whatBecameOf(chain: ChainContext, before: readonly PendingTransaction[]): Promise<ListedTransaction[]> {
  const { ledger, pool, heads, reader } = chain
  const hashes = before.map(({ hash }) => hash)
  const stored = new Map((await transactionsByHash(reader, hashes)).map((row) => [row.hash, row]))
  return before.flatMap((row): ListedTransaction[] => {
    const { poolKey } = row
    const sealed = stored.get(row.hash)
    if (sealed) return [{ ...sealed, poolKey }]
    const ahead = ledger?.pendingAt(row.hash, heads.latest)
    if (ledger && ahead) return [{ ...listedPreconfirmed(ledger, ahead), poolKey }]
    return pool?.get(row.hash) === undefined ? [] : [row]
  })
}

function isPartyOf({ sender, recipient, contractAddress }: Shown, address: Hex): boolean {
  return sender === address || recipient === address || contractAddress === address
}

/** Of all transactions that are in a block, sealed or not. */
function highestPosition({ ledger, heads: { latest } }: ChainContext): number {
  const [newest] = ledger?.pendingAbove(latest) ?? []
  return newest ? positionOf(newest.block.height, newest.position) : positionOf(latest + 1, 0) - 1
}

/** Its time is that of its broadcast (§3): when our RPC took it, else when the feed brought it. */
function listedPreconfirmed(
  ledger: LedgerMirror,
  { position, flashblockIndex: _, ...row }: PendingTransactionRow,
): PendingTransaction {
  const seenMs = ledger.stagesOf(row.hash)?.record.seenMs
  return {
    ...row,
    block: { ...row.block, timestampMs: seenMs ?? row.block.timestampMs },
    pos: positionOf(row.block.height, position),
    error: null,
    pending: 'preconfirmed',
  }
}

const NO_BLOCK = { height: null, hash: null, timestampMs: 0 }

function listedWaiting({ ledger }: ChainContext, waiting: WaitingTransaction, bound: number): PendingTransaction {
  const { number, seenMs, ...transaction } = waiting
  return {
    ...transaction,
    contractAddress: null,
    fee: null,
    l1Fee: null,
    status: null,
    gasUsed: null,
    sourceHash: null,
    mint: null,
    error: null,
    transfers: [],
    pos: Number.MAX_SAFE_INTEGER,
    poolKey: [number, bound],
    block: { ...NO_BLOCK, timestampMs: ledger?.stagesOf(waiting.hash)?.record.seenMs ?? seenMs },
    pending: 'seen',
  }
}
