// Which of the payloads form the chain that is served: from the canonical head upwards, each on its parent.
import type { Hex } from '../chain/bytes/hex.ts'
import type { PendingBlock } from './pending-block.ts'

export type CanonicalHead = {
  readonly height: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
}

/** One payload as the resequencer verified it. */
export type Sequence = {
  readonly payloadId: Hex
  readonly height: number
  /** When it last grew. */
  readonly receivedMs: number
  /** The block after each flashblock: the version at `i` has index `i`. */
  readonly versions: readonly PendingBlock[]
  /** Later flashblocks wait for a missing one. */
  readonly hasGap: boolean
}

/** Sequences come oldest first: where several fit, the one that began last wins, with its ancestors and its descendants. */
export function linkedBlocks(head: CanonicalHead, sequences: readonly Sequence[]): readonly PendingBlock[] {
  for (const sequence of sequences.toReversed()) {
    const tip = sequence.versions.at(-1)
    const below = tip === undefined ? null : blocksUpTo(head, sequences, tip)
    if (below !== null) return [...below, ...blocksAbove(sequences, below.at(-1)!)]
  }
  return []
}

/** The block and everything between it and the head; null where it does not stand on the head. */
function blocksUpTo(
  head: CanonicalHead,
  sequences: readonly Sequence[],
  block: PendingBlock,
): readonly PendingBlock[] | null {
  const { number, parentHash } = block.header
  if (number === head.height + 1) return parentHash === head.hash ? [block] : null
  for (const sequence of sequences.toReversed()) {
    const parent = sequence.height === number - 1 ? parentIn(sequence, parentHash) : undefined
    const below = parent === undefined ? null : blocksUpTo(head, sequences, parent)
    if (below !== null) return [...below, block]
  }
  return null
}

function blocksAbove(sequences: readonly Sequence[], block: PendingBlock): readonly PendingBlock[] {
  for (const { height, versions } of sequences.toReversed()) {
    const child = height === block.header.number + 1 ? versions.at(-1) : undefined
    const own = sequences.find(({ payloadId }) => payloadId === block.payloadId)!
    if (child !== undefined && parentIn(own, child.header.parentHash) === block) {
      return [child, ...blocksAbove(sequences, child)]
    }
  }
  return []
}

/**
 * The version that was sealed, if it is one of these. A feed that leaves the state root out tells hashes that the sealed block will not
 * have; there the last version is taken for the parent, unless it is known to lack something, until the canonical block says more.
 */
function parentIn(sequence: Sequence, parentHash: Hex): PendingBlock | undefined {
  const last = sequence.versions.at(-1)
  if (last?.header.stateRoot === NO_STATE_ROOT) return sequence.hasGap ? undefined : last
  return sequence.versions.findLast(({ hash }) => hash === parentHash)
}

const NO_STATE_ROOT: Hex = `0x${'00'.repeat(32)}`
