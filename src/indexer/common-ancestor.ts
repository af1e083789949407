// Finds the common ancestor of the node's chain and the stored one.
import { type Hex, toQuantity } from '../chain/bytes/hex.ts'
import type { Node } from '../upstream/node/node.ts'

export type StoredHashes = {
  readonly firstHeight: number
  readonly lastHeight: number
  hashAt(height: number): Promise<Hex | undefined>
}

/** The chain changed below the first stored block, so the whole index is wrong. */
export class ReorgTooDeep extends Error {
  override readonly name = 'ReorgTooDeep'
  readonly firstHeight: number

  constructor(firstHeight: number) {
    super(
      `The node’s chain differs from the index even at block ${firstHeight}, the first one stored: another chain, or a reorg beyond the index. Run \`firstlight resync\` to index it again`,
    )
    this.firstHeight = firstHeight
  }
}

/**
 * The highest height up to `below` (excluded) at which both have the same block. Two chains that are the same at a height are the same
 * below it, so this goes back in growing steps and then bisects: it needs few requests however deep the reorg is.
 */
export async function commonAncestor(
  { node, stored, signal }: { node: Pick<Node, 'call'>; stored: StoredHashes; signal: AbortSignal },
  below: number,
): Promise<number> {
  const isSame = async (height: number): Promise<boolean> => {
    const block = (await node.call('eth_getBlockByNumber', [toQuantity(height), false], signal)) as {
      hash?: Hex
    } | null
    return block?.hash !== undefined && block.hash === (await stored.hashAt(height))
  }
  let different = below
  let same = below - 1
  for (let step = 1; same >= stored.firstHeight && !(await isSame(same)); step *= 2) {
    different = same
    same = Math.max(stored.firstHeight - 1, same - step)
  }
  if (same < stored.firstHeight) {
    if (different === stored.firstHeight || !(await isSame(stored.firstHeight)))
      throw new ReorgTooDeep(stored.firstHeight)
    same = stored.firstHeight
  }
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    if (await isSame(middle)) same = middle
    else different = middle
  }
  return same
}
