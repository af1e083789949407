// Builds the chain: opens a block, fills it flashblock by flashblock, seals it, and reorgs on demand.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import type { Refusal } from '../../src/evm/transaction/refusal.ts'
import type { BlockStore } from './block-store.ts'
import type { ChainEvent, Rewrite } from './chain.ts'
import type { DepositQueue } from './deposits.ts'
import { isSystemDeposit } from './deposits.ts'
import { flashblockMessage } from './flashblock-message.ts'
import { blockTimeOf, type ChainBlock, millisecondsOf } from './included-transaction.ts'
import { decodeAttributes } from './l1-origin.ts'
import { type BlockPlan, OpenBlock } from './open-block.ts'
import { POOL_LIMITS, TransactionPool, type Verdict } from './pool.ts'
import { envOf, type Protocol } from './protocol.ts'
import { type StateHistory, trieBack } from './state-history.ts'

export const MAX_REORG_DEPTH = 64

const SECOND_MS = 1_000

export type SequencerDependencies = {
  readonly protocol: Protocol
  readonly blocks: BlockStore
  readonly history: StateHistory
  readonly deposits: DepositQueue
  readonly nowMs: () => number
  readonly flashblocksPerBlock: number
  /** A chain without Flashblocks announces whole blocks only. */
  readonly hasFlashblocks: boolean
  readonly emit: (event: ChainEvent) => void
}

export class Sequencer {
  readonly pool: TransactionPool
  readonly #deps: SequencerDependencies
  /** State trie after the head. */
  #trie: StateTrie
  #open: OpenBlock | null = null
  /** The open block after each of its flashblocks, by hash. */
  readonly #versions = new Map<Hex, ChainBlock>()
  #rewrite: Rewrite | null = null

  constructor(deps: SequencerDependencies, trie: StateTrie) {
    this.#deps = deps
    this.#trie = trie
    this.pool = new TransactionPool({
      state: () => this.pendingState(),
      env: () => this.pendingEnv(),
      nonceOf: (address) => this.pendingState().account(address)?.nonce ?? 0n,
      isPreconfirmed: (hash) => this.#open !== null && this.#open.indexOf(hash) !== null,
      onAdded: (recovered) => deps.emit({ type: 'pendingTransaction', recovered }),
      limits: POOL_LIMITS,
      ownRules: deps.protocol.ownRules,
    })
  }

  // Reading

  head(): ChainBlock {
    const { blocks } = this.#deps
    return blocks.byNumber(blocks.headNumber)!
  }

  pending(): ChainBlock {
    return this.#open?.block ?? this.head()
  }

  pendingState(): StateSource {
    return this.#open?.world ?? this.#headState()
  }

  pendingTrie(): StateTrie {
    return this.#open?.trie ?? this.#trie
  }

  pendingEnv(): BlockEnv {
    return envOf(this.#deps.protocol, this.#open?.header ?? this.head().header)
  }

  preconfirmed(hash: Hex): { block: ChainBlock; index: number } | null {
    const index = this.#open?.indexOf(hash) ?? null
    return index === null ? null : { block: this.pending(), index }
  }

  flashblock(hash: Hex): ChainBlock | null {
    return this.#versions.get(hash) ?? null
  }

  /** The trie after a block that is in the state history. */
  trieAt(number: number): StateTrie {
    return trieBack(this.#deps, this.#trie, number)
  }

  // Building

  /** The next flashblock of the open block, or the first of a new one. */
  makeFlashblock(): void {
    const { gasLimit } = this.#deps.protocol
    const parts = BigInt(this.#deps.flashblocksPerBlock)
    const part = BigInt(this.#open?.flashblocks ?? 0) + 1n
    // A flashblock may use its share of the gas and what earlier ones left; a large transaction waits for the last one.
    this.#addFlashblock(part >= parts ? gasLimit : (gasLimit * part) / parts)
  }

  step(): void {
    if (this.#open !== null && this.#open.flashblocks >= this.#deps.flashblocksPerBlock) this.sealOpen()
    this.makeFlashblock()
  }

  seal(): ChainBlock {
    if (this.#open === null || this.pool.status().pending > 0) this.#addFlashblock(this.#deps.protocol.gasLimit)
    this.sealOpen()
    return this.head()
  }

  /** Seals the open block: its preconfirmed transactions become canonical. */
  sealOpen(): void {
    const open = this.#close()
    if (open === null) return
    const rewrite = this.#rewrite
    this.#rewrite = null
    if (rewrite === null) {
      this.#deps.emit({ type: 'head', added: [this.#commit(open)], removed: [] })
      return
    }
    const preconfirmed = transactionsOf(open.block!)
    const { block } = this.#build(open.plan, rewrite(preconfirmed))
    const included = new Set(block.transactions.map(({ recovered }) => recovered.hash))
    this.#putBack(preconfirmed.filter(({ hash }) => !included.has(hash)))
    this.#deps.emit({ type: 'head', added: [block], removed: [] })
  }

  contradictNext(rewrite: Rewrite): void {
    this.#rewrite = rewrite
  }

  reorg(depth: number): void {
    const { blocks, history } = this.#deps
    const deepest = Math.min(MAX_REORG_DEPTH, blocks.headNumber)
    if (!Number.isInteger(depth) || depth < 1 || depth > deepest) {
      throw new RangeError(`A reorg is 1 to ${deepest} blocks deep, not ${depth}`)
    }
    const ancestor = blocks.headNumber - depth
    if (!history.knows(ancestor)) throw new RangeError(`The state after block ${ancestor} is not available`)
    const abandoned = this.#close()
    const removed = Array.from({ length: depth }, (_, i) => blocks.byNumber(blocks.headNumber - i)!)
    this.#trie = this.trieAt(ancestor)
    const changes = history.changesBackTo(ancestor)
    const record = blocks.rewind(ancestor, changes)
    history.rewind(ancestor, changes)
    this.#deps.emit({ type: 'record', record })
    const { added, left } = this.#replace(removed.toReversed())
    this.#putBack([...left, ...(abandoned === null ? [] : transactionsOf(abandoned.block!))])
    this.#deps.emit({ type: 'head', added, removed })
  }

  /** New blocks with the same times and transactions, except that the last transaction of each moves to the next block. */
  #replace(removed: readonly ChainBlock[]): { added: ChainBlock[]; left: RecoveredTransaction[] } {
    const added: ChainBlock[] = []
    let left: RecoveredTransaction[] = []
    for (const old of removed) {
      const transactions = [...transactionsOf(old).filter(isDeposit), ...left]
      const others = transactionsOf(old).filter((each) => !isDeposit(each))
      const late = others.splice(Math.max(0, others.length - 1))
      const plan = { ...timeOf(old), insteadOf: old.hash }
      const { block, refused } = this.#build(plan, [...transactions, ...others])
      added.push(block)
      left = [...refused, ...late]
    }
    return { added, left }
  }

  #addFlashblock(gasBudget: bigint): void {
    const open = this.#open ?? this.#begin()
    this.pool.select(open.header.baseFeePerGas!, (recovered) => {
      if (open.gasUsed + recovered.transaction.gasLimit > gasBudget) return 'wait'
      return verdictOn(open.execute(recovered))
    })
    const index = open.flashblocks
    const { block, added, changes } = open.closeFlashblock()
    this.#versions.set(block.hash, block)
    this.#deps.emit({ type: 'open', block, changes })
    if (!this.#deps.hasFlashblocks) return
    const { payloadId, world } = open
    const message = flashblockMessage({ payloadId, index, block, added, changes, state: world })
    this.#deps.emit({ type: 'flashblock', message })
  }

  #begin(): OpenBlock {
    const open = this.#openBlock({ ...this.#nextTime(), l1Number: this.#deps.deposits.l1Number })
    this.#deps.deposits.take((deposit) => open.execute(deposit) === null)
    this.#open = open
    return open
  }

  /** After the head's: in whole seconds, or in milliseconds on a chain with rules of its own. */
  #nextTime(): Pick<BlockPlan, 'timestamp' | 'milliseconds'> {
    const { protocol, nowMs } = this.#deps
    const seconds = Math.floor(nowMs() / SECOND_MS)
    if (!protocol.ownRules) return { timestamp: Math.max(this.head().header.timestamp + 1, seconds) }
    const timeMs = Math.max(blockTimeOf(this.head()) + 1, nowMs())
    return { timestamp: Math.floor(timeMs / SECOND_MS), milliseconds: timeMs % SECOND_MS }
  }

  #openBlock(plan: BlockPlan): OpenBlock {
    return new OpenBlock(this.#deps.protocol, { parent: this.head(), state: this.#headState(), trie: this.#trie }, plan)
  }

  /** Builds and seals a whole block without flashblocks. Of the system deposits in `transactions` only the L1 origin is used. */
  #build(plan: BlockPlan, transactions: readonly RecoveredTransaction[]) {
    const attributes = transactions.find(isSystemDeposit)
    const l1Number = attributes && decodeAttributes(attributes.transaction.data).origin.number
    const open = this.#openBlock({ ...plan, l1Number })
    const refused: RecoveredTransaction[] = []
    for (const recovered of transactions) {
      if (isSystemDeposit(recovered)) continue
      if (open.execute(recovered) !== null) refused.push(recovered)
    }
    open.closeFlashblock()
    return { block: this.#commit(open), refused }
  }

  /** Writes the block to the log before any event announces it. */
  #commit({ block, changes, trie }: OpenBlock): ChainBlock {
    const record = this.#deps.blocks.append(block!, changes)
    this.#deps.history.append(changes)
    this.#trie = trie
    this.#deps.emit({ type: 'record', record })
    return block!
  }

  #close(): OpenBlock | null {
    const open = this.#open
    this.#open = null
    this.#versions.clear()
    return open
  }

  #putBack(transactions: readonly RecoveredTransaction[]): void {
    this.#deps.deposits.putBack(transactions.filter((each) => isDeposit(each) && !isSystemDeposit(each)))
    this.pool.restore(transactions)
  }

  #headState(): StateSource {
    return this.#deps.history.at(this.#deps.blocks.headNumber)!
  }
}

function timeOf(block: ChainBlock): Pick<BlockPlan, 'timestamp' | 'milliseconds'> {
  return { timestamp: block.header.timestamp, milliseconds: millisecondsOf(block) }
}

function transactionsOf({ transactions }: ChainBlock) {
  return transactions.map(({ recovered }) => recovered)
}

function isDeposit({ transaction }: RecoveredTransaction) {
  return transaction.type === DEPOSIT
}

function verdictOn(refusal: Refusal | null): Verdict {
  switch (refusal?.reason) {
    case undefined:
      return 'included'
    case 'gasLimitReached':
    case 'feeCapTooLow':
    case 'nonceTooHigh':
      return 'wait'
    default:
      return 'drop'
  }
}
