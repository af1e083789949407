// Creates the devnet's chain from its parts: log, state history, deposits, sequencer.
import { rmSync } from 'node:fs'
import { nextBaseFee, OP_BASE_FEE } from '../../src/chain/rules/base-fee.ts'
import type { Log } from '../../src/lib/log.ts'
import { DEFAULT_DEVNET_FORK, type DevnetFork } from '../genesis/genesis-state.ts'
import type { ChainEvent, DevnetChain, FoundTransaction } from './chain.ts'
import { DepositQueue } from './deposits.ts'
import { l1NumberAt, originAfter } from './l1-origin.ts'
import { loadChain } from './load-chain.ts'
import { createProtocol, envOf } from './protocol.ts'
import { beats, type Clock, flashblocksPerBlock, type Schedule, systemClock } from './schedule.ts'
import { Sequencer } from './sequencer.ts'
import { createSnapshots } from './snapshot.ts'
import { worldBefore } from './world-before.ts'

export type DevnetOptions = Schedule & {
  readonly chainId: number
  readonly seed: string
  /** The folder that stores the chain; null keeps it in memory until the process ends. */
  readonly folder: string | null
  readonly log: Log
  readonly fork?: DevnetFork
  /** Rules that no common specification has; see `own-rules.ts` of the genesis. */
  readonly ownRules?: boolean | undefined
  readonly gasLimit?: bigint
  /** How many blocks the safe and finalized heads lag behind the head. */
  readonly safeDistance?: number
  readonly finalizedDistance?: number
  readonly clock?: Clock
}

/** Throws `UnusableChain` if the folder contains another chain or a damaged one. */
export function createDevnetChain(options: DevnetOptions): DevnetChain {
  const { chainId, seed, folder, log, fork = DEFAULT_DEVNET_FORK, gasLimit = 60_000_000n } = options
  const blocksASecond = options.ownRules ? Math.max(1, 1_000 / options.blockMs) : 1
  const { safeDistance = 4 * blocksASecond, finalizedDistance = 12 * blocksASecond, clock = systemClock } = options
  const hasFlashblocks = options.flashblockMs > 0
  const protocol = createProtocol({ chainId, seed, fork, gasLimit, ownRules: options.ownRules })
  const timestamp = Math.floor(clock.nowMs() / 1_000)
  const { blocks, history, trie, records } = loadChain({ protocol, folder, timestamp, log })
  const snapshots = createSnapshots({ folder, records, history, log })
  const deposits = new DepositQueue(protocol)
  const listeners = new Set<(event: ChainEvent) => void>()
  const emit = (event: ChainEvent) => {
    for (const listener of listeners) listener(event)
    if (event.type === 'head') snapshots.headMoved(blocks.headNumber)
  }
  const sequencer = new Sequencer(
    {
      protocol,
      blocks,
      history,
      deposits,
      emit,
      nowMs: () => clock.nowMs(),
      flashblocksPerBlock: flashblocksPerBlock(options),
      hasFlashblocks,
    },
    trie,
  )

  return {
    chainId: protocol.chainId,
    pool: sequencer.pool,

    head: () => sequencer.head(),
    safeNumber: () => Math.max(0, blocks.headNumber - safeDistance),
    finalizedNumber: () => Math.max(0, blocks.headNumber - finalizedDistance),
    pending: () => sequencer.pending(),
    blockByNumber: (number) => blocks.byNumber(number),
    blockByHash: (hash) => blocks.byHash(hash) ?? sequencer.flashblock(hash),
    hashOf: (number) => blocks.hashOf(number),
    bloomOf: (number) => blocks.bloomOf(number),
    transaction(hash): FoundTransaction | null {
      const included = blocks.findTransaction(hash)
      if (included !== null) return { type: 'included', ...included }
      const preconfirmed = sequencer.preconfirmed(hash)
      if (preconfirmed !== null) return { type: 'preconfirmed', ...preconfirmed }
      const recovered = sequencer.pool.get(hash)
      return recovered === null ? null : { type: 'waiting', recovered }
    },

    stateAt: (at) => (at === 'pending' ? sequencer.pendingState() : history.at(at)),
    trieAt(at) {
      if (at === 'pending') return sequencer.pendingTrie()
      return history.knows(at) ? sequencer.trieAt(at) : null
    },
    hasProgram: (address) => protocol.programs.has(address),
    envOf: (header) => envOf(protocol, header),
    worldBefore: (block, index) => worldBefore({ protocol, history }, block, index),
    nextBaseFee: () => nextBaseFee(sequencer.head().header, protocol.rules, OP_BASE_FEE),

    deposit(request) {
      const { header } = sequencer.pending()
      const l1 = originAfter(protocol, null, l1NumberAt(header.timestamp))
      return deposits.add(request, { height: header.number + 1, l1 })
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    async run(signal) {
      let last: number | null = null
      for await (const block of beats(clock, options, signal)) {
        if (block !== last) sequencer.sealOpen()
        last = block
        if (hasFlashblocks) sequencer.makeFlashblock()
        else sequencer.seal()
      }
      // Preconfirmed transactions must not be lost by a stop.
      sequencer.sealOpen()
    },
    step: () => sequencer.step(),
    seal: () => sequencer.seal(),
    reorg: (depth) => sequencer.reorg(depth),
    contradictNext: (rewrite) => sequencer.contradictNext(rewrite),

    async close() {
      await snapshots.close()
      records.close()
    },
  }
}

/** Deletes the stored chain (`--reset`). */
export function forgetDevnetChain(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
