// The simulated blocks of `eth_simulateV1` on a chain whose whole state is known: each has its state root.
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { overriddenState, type StateOverrides } from '../../src/evm/call/overrides.ts'
import {
  type BlockPlan,
  pausableSimulation,
  type SimulatedBlock,
  type SimulationStart,
} from '../../src/evm/call/simulation.ts'
import { runToEnd } from '../../src/evm/core/pausable-run.ts'
import type { StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'

export type Ground = {
  readonly source: StateSource
  /** Forked for the roots of the simulated blocks. */
  readonly trie: StateTrie
}

export function simulate(ground: Ground, start: SimulationStart, plans: readonly BlockPlan[]): SimulatedBlock[] {
  const trie = ground.trie.fork()
  const withRoots: SimulationStart = {
    ...start,
    stateRootOf(world, below, overrides) {
      trie.apply(changesOfOverrides(below, overrides))
      trie.apply(world.takeChanges())
      return bytesToHex(trie.root)
    },
  }
  return runToEnd(pausableSimulation(ground.source, withRoots, plans))
}

function changesOfOverrides(source: StateSource, overrides: StateOverrides): StateChanges {
  const overridden = overriddenState(source, overrides)
  const entries = [...overrides]
  return {
    accounts: new Map(entries.map(([address]) => [address, overridden.account(address) ?? null])),
    wiped: new Set(entries.flatMap(([address, { state }]) => (state ? [address] : []))),
    slots: new Map(entries.map(([address, { state, stateDiff }]) => [address, state ?? stateDiff ?? new Map()])),
    codes: new Map(),
  }
}
