// The world state in the middle of an existing block.

import { WorldState } from '../../src/evm/state/world-state.ts'
import { beginBlock } from '../../src/evm/transaction/block.ts'
import type { Replay } from './chain.ts'
import type { ChainBlock } from './included-transaction.ts'
import { executeAny } from './own-transaction.ts'
import { envOf, type Protocol } from './protocol.ts'
import type { StateHistory } from './state-history.ts'

/** Null if the state before the block is not available. */
export function worldBefore(
  { protocol, history }: { protocol: Protocol; history: StateHistory },
  { header, transactions }: ChainBlock,
  index: number,
): Replay | null {
  const state = history.after(header.parentHash, header.number - 1)
  if (state === null) return null
  const world = new WorldState(state)
  const env = envOf(protocol, header)
  const parentBeaconRoot = BigInt(header.parentBeaconBlockRoot!)
  beginBlock(world, env, { parentHash: BigInt(header.parentHash), parentBeaconRoot })
  let gasUsedBefore = 0n
  for (const { recovered, gasUsed } of transactions.slice(0, index)) {
    executeAny(world, env, recovered, { gasUsedBefore })
    gasUsedBefore += gasUsed
  }
  return { world, env, gasUsedBefore }
}
