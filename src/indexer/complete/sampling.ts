// Whose balance the node is asked for at a block: those that the block does not tell, and a few of the others as a check.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { DerivedBlock } from '../derive/derive.ts'

/** The same for the same block, so that an index made twice is the same twice. */
export function addressesToCheck({ block, nativeChanges, participants }: DerivedBlock, samples: number): Hex[] {
  if (nativeChanges === null) return [...participants]
  const changed = [...nativeChanges.keys()]
  const picked = new Set<Hex>()
  // A mined block gives its miner what no transaction tells.
  if (block.difficulty > 0n && block.height > 0) picked.add(block.miner)
  const first = Number.parseInt(block.hash.slice(2, 10), 16)
  const step = Math.max(1, Math.floor(changed.length / Math.max(1, samples)))
  for (let i = 0; i < Math.min(samples, changed.length); i++) picked.add(changed[(first + i * step) % changed.length]!)
  return [...picked]
}
