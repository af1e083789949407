import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import { simulation } from '../../../src/contract/rpc-further.ts'
import { overriddenState, type StateOverrides } from '../../../src/evm/call/overrides.ts'
import {
  type BlockPlan,
  pausableSimulation,
  type SimulatedBlock,
  type SimulationStart,
} from '../../../src/evm/call/simulation.ts'
import { simulatedWithHashes, simulatedWithTransactions } from '../../../src/evm/call/simulation-view.ts'
import type { PausableRun } from '../../../src/evm/core/pausable-run.ts'
import type { StateChanges, StateSource } from '../../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../../src/evm/state/state-trie.ts'
import { stateIsGone, stateOf } from '../block-lookup.ts'
import { executingMethod } from '../method.ts'
import { block } from '../params.ts'
import { CALL_GAS_CAP } from './calls.ts'

export const simulateMethods = {
  eth_simulateV1: executingMethod({ simulation, block }, function* (chain, args) {
    const { block, at, source } = stateOf(chain, args.block)
    const trie = chain.trieAt(at)
    if (trie === null) throw stateIsGone(block)
    const { blockStateCalls, validation, traceTransfers, returnFullTransactions } = args.simulation
    const start = {
      header: block.header,
      hash: block.hash,
      env: chain.envOf(block.header),
      gasCap: CALL_GAS_CAP,
      isStrict: validation === true,
      showsTransfers: traceTransfers === true,
    }
    const blocks = yield* simulate({ source, trie }, start, blockStateCalls)
    return blocks.map(returnFullTransactions === true ? simulatedWithTransactions : simulatedWithHashes)
  }),
}

export type Ground = {
  readonly source: StateSource
  /** Forked for the roots of the simulated blocks. */
  readonly trie: StateTrie
}

export function simulate(
  ground: Ground,
  start: SimulationStart,
  plans: readonly BlockPlan[],
): PausableRun<SimulatedBlock[]> {
  const trie = ground.trie.fork()
  const withRoots: SimulationStart = {
    ...start,
    stateRootOf(world, below, overrides) {
      trie.apply(changesOfOverrides(below, overrides))
      trie.apply(world.takeChanges())
      return bytesToHex(trie.root)
    },
  }
  return pausableSimulation(ground.source, withRoots, plans)
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
