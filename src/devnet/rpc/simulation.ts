// The simulated blocks of `eth_simulateV1` on a chain whose whole state is known: each has its state root.
import { bytesToHex } from '../../chain/hex.ts'
import type { BlockEnv } from '../../evm/machine.ts'
import { overriddenState, type StateOverrides } from '../../evm/overrides.ts'
import { type SimulatedCall, simulationSlices } from '../../evm/simulation.ts'
import { runToEnd } from '../../evm/slices.ts'
import type { StateChanges, StateSource } from '../../evm/state-source.ts'
import type { StateTrie } from '../../evm/state-trie.ts'
import type { ChainBlock } from '../chain/chain.ts'
import { CALL_GAS_CAP, callMessage, overriddenEnv } from './call-message.ts'
import type { BlockOverrides, CallObject } from './params.ts'

export type BlockPlan = {
  readonly blockOverrides: BlockOverrides
  readonly stateOverrides: StateOverrides
  readonly calls: readonly CallObject[]
}

export type SimulatedBlock = { readonly block: ChainBlock; readonly calls: readonly SimulatedCall[] }

export type SimulationStart = {
  readonly block: ChainBlock
  readonly env: BlockEnv
  readonly source: StateSource
  /** Forked for the roots of the simulated blocks. */
  readonly trie: StateTrie
  readonly baseFee: bigint
  readonly isStrict: boolean
}

export function simulate(start: SimulationStart, plans: readonly BlockPlan[]): SimulatedBlock[] {
  const { block, env, baseFee, isStrict } = start
  const trie = start.trie.fork()
  const slices = simulationSlices<CallObject>(
    start.source,
    {
      ...{ header: block.header, hash: block.hash, env, gasCap: CALL_GAS_CAP, baseFee, isStrict },
      messageOf: callMessage,
      stateRootOf(world, below, overrides) {
        trie.apply(changesOfOverrides(below, overrides))
        trie.apply(world.takeChanges())
        return bytesToHex(trie.root)
      },
    },
    plans.map(({ blockOverrides, stateOverrides, calls }) => ({
      number: blockOverrides.number,
      time: blockOverrides.time,
      envOf: (plain) => overriddenEnv(plain, blockOverrides),
      stateOverrides,
      calls,
    })),
  )
  return runToEnd(slices).map(({ header, hash, size, calls }) => ({
    block: { header, hash, size, transactions: calls.map(({ recovered, outcome }) => ({ recovered, ...outcome })) },
    calls,
  }))
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
