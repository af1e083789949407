// Creates the devnet's chain from its parts: log, state history, deposits, sequencer.
import { rmSync } from 'node:fs'
import { nextBaseFee, OP_BASE_FEE } from '../../src/chain/rules/base-fee.ts'
import type { Log } from '../../src/lib/log.ts'
import type { ChainEvent, DevnetChain, FoundTransaction } from './chain.ts'
import { DepositQueue } from './deposits.ts'
import { l1NumberAt, originAfter } from './l1-origin.ts'
import { loadChain } from './load-chain.ts'
import { createProtocol, type ProtocolOptions } from './protocol.ts'
import { readableChain } from './readable-chain.ts'
import { beats, type Clock, flashblocksPerBlock, type Schedule, systemClock } from './schedule.ts'
import { Sequencer } from './sequencer.ts'
import { createSnapshots } from './snapshot.ts'

export type DevnetOptions = Schedule &
  ProtocolOptions & {
    /** The folder that stores the chain; null keeps it in memory until the process ends. */
    readonly folder: string | null
    readonly log: Log
    readonly clock?: Clock
  }

/** Throws `UnusableChain` if the folder contains another chain or a damaged one. */
export function createDevnetChain(options: DevnetOptions): DevnetChain {
  const { folder, log, clock = systemClock } = options
  const hasFlashblocks = options.flashblockMs > 0
  const protocol = createProtocol(options)
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

  const readable = readableChain({ protocol, blocks, history, tip: sequencer })
  return {
    ...readable,
    chainId: protocol.chainId,
    pool: sequencer.pool,
    bloomOf: (number) => blocks.bloomOf(number),
    transaction(hash): FoundTransaction | null {
      const found = readable.transaction(hash)
      if (found !== null) return found
      const recovered = sequencer.pool.get(hash)
      return recovered === null ? null : { type: 'waiting', recovered }
    },
    hasProgram: (address) => protocol.programs.has(address),
    nextBaseFee: () => nextBaseFee(sequencer.head().header, protocol.rules, OP_BASE_FEE),
    replicaStart() {
      const { seed, chainId, blockMs, fork, gasLimit, ownRules, historyBlocks, safeDistance, finalizedDistance } =
        options
      const given = { seed, chainId, blockMs, fork, gasLimit, ownRules, historyBlocks, safeDistance, finalizedDistance }
      return { protocol: given, folder, timestamp, end: records.end }
    },

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
