// A block while it is being built. Transactions run one after the other on the state of its parent. Each flashblock computes a header
// with all roots over the transactions so far, so the last flashblock is the block.

import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { encodeBlock, transactionsRoot } from '../../src/chain/codec/block.ts'
import { EMPTY_BLOOM, unionOfBlooms } from '../../src/chain/codec/bloom.ts'
import { type Header, headerHash } from '../../src/chain/codec/header.ts'
import { createReceipt, encodeReceipt } from '../../src/chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../../src/chain/codec/transaction.ts'
import { L2_TO_L1_MESSAGE_PASSER, SEQUENCER_FEE_VAULT } from '../../src/chain/rules/addresses.ts'
import { nextBaseFee, OP_BASE_FEE } from '../../src/chain/rules/base-fee.ts'
import { orderedRoot } from '../../src/chain/trie/ordered-root.ts'
import { trieRoot } from '../../src/chain/trie/trie.ts'
import type { StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { beginBlock } from '../../src/evm/transaction/block.ts'
import type { ExecutionResult } from '../../src/evm/transaction/execution.ts'
import { daFootprint } from '../../src/evm/transaction/op-fees.ts'
import { type Refusal, refuse } from '../../src/evm/transaction/refusal.ts'
import { addChanges, noChanges } from './changes.ts'
import { attributesDeposit, timeDeposit } from './deposits.ts'
import { UNUSED_FIELDS } from './genesis-block.ts'
import type { ChainBlock, IncludedTransaction } from './included-transaction.ts'
import { type BlockFees, includedTransaction } from './included-transaction.ts'
import { decodeAttributes, type L1Origin, l1NumberAt, originAfter } from './l1-origin.ts'
import { executeAny, typeNumberOf } from './own-transaction.ts'
import { envOf, type Protocol } from './protocol.ts'

export type Ground = {
  readonly parent: ChainBlock
  /** State and trie after the parent; the trie is forked. */
  readonly state: StateSource
  readonly trie: StateTrie
}

export type BlockPlan = {
  readonly timestamp: number
  /** Milliseconds after it, on a chain with rules of its own. */
  readonly milliseconds?: number | undefined
  /** The L1 origin of the block; by default the newest that its time allows. */
  readonly l1Number?: number | undefined
  /** The hash of the block that this one replaces: the new hash must differ. */
  readonly insteadOf?: Hex
}

export class OpenBlock {
  readonly payloadId: Hex
  readonly plan: BlockPlan
  readonly world: WorldState
  readonly trie: StateTrie
  readonly origin: L1Origin
  /** State changes since the parent, up to the last flashblock. */
  readonly changes = noChanges()
  /** The block up to the last flashblock. */
  block: ChainBlock | null = null
  flashblocks = 0

  readonly #env
  readonly #skeleton: Header
  readonly #fees: BlockFees
  readonly #included: IncludedTransaction[] = []
  readonly #indices = new Map<Hex, number>()
  readonly #encodedReceipts: Uint8Array[] = []
  #bloom: Uint8Array = EMPTY_BLOOM
  #gasUsed = 0n
  #footprint = 0n

  constructor(protocol: Protocol, { parent, state, trie }: Ground, plan: BlockPlan) {
    this.plan = plan
    this.world = new WorldState(state)
    this.trie = trie.fork()
    this.origin = originAfter(protocol, originOf(parent), plan.l1Number ?? l1NumberAt(plan.timestamp))
    const attributes = attributesDeposit(protocol, this.origin)
    this.#fees = { rules: protocol.rules, parameters: decodeAttributes(attributes.transaction.data).parameters }
    this.#skeleton = skeletonOf(protocol, parent, plan)
    this.#env = envOf(protocol, this.#skeleton)
    this.payloadId = payloadIdOf(protocol, this.#skeleton)
    beginBlock(this.world, this.#env, {
      parentHash: BigInt(parent.hash),
      parentBeaconRoot: BigInt(this.#skeleton.parentBeaconBlockRoot!),
    })
    this.#executeSystem(attributes)
    if (plan.milliseconds !== undefined) this.#executeSystem(timeDeposit(this.origin, plan.milliseconds))
  }

  get header(): Header {
    return this.block?.header ?? this.#skeleton
  }

  get gasUsed(): bigint {
    return this.#gasUsed
  }

  indexOf(hash: Hex): number | null {
    return this.#indices.get(hash) ?? null
  }

  /** Null means that the transaction ran and is part of the next flashblock. */
  execute(recovered: RecoveredTransaction): Refusal | null {
    const footprint = this.#footprint + this.#footprintOf(recovered)
    if (footprint > this.#env.gasLimit) return refuse('gasLimitReached')
    const execution = executeAny(this.world, this.#env, recovered, { gasUsedBefore: this.#gasUsed })
    if (execution.type === 'refused') return execution
    this.#gasUsed += execution.gasUsed
    this.#footprint = footprint
    this.#include(recovered, execution)
    return null
  }

  /** Closes a flashblock; returns the block so far, its new transactions, and the state changes since the parent. */
  closeFlashblock(): { block: ChainBlock; added: readonly IncludedTransaction[]; changes: StateChanges } {
    const changes = this.world.takeChanges()
    this.trie.apply(changes)
    addChanges(this.changes, changes)
    const added = this.#included.slice(this.block?.transactions.length ?? 0)
    this.#bloom = unionOfBlooms([this.#bloom, ...added.map(({ receipt }) => receipt.logsBloom)])
    const transactions = [...this.#included]
    const raws = transactions.map(({ recovered }) => recovered.raw)
    const header: Header = {
      ...this.#skeleton,
      stateRoot: bytesToHex(this.trie.root),
      transactionsRoot: transactionsRoot(raws),
      receiptsRoot: orderedRoot(this.#encodedReceipts),
      logsBloom: this.#bloom,
      gasUsed: this.#gasUsed,
      withdrawalsRoot: bytesToHex(trieRoot(this.trie.storageOf(L2_TO_L1_MESSAGE_PASSER))),
      blobGasUsed: this.#footprint,
    }
    const size = encodeBlock({ header, transactions: raws, uncles: [], withdrawals: [] }).length
    this.block = { header, hash: headerHash(header), size, transactions }
    this.flashblocks++
    return { block: this.block, added, changes: this.changes }
  }

  #executeSystem(deposit: RecoveredTransaction): void {
    const refusal = this.execute(deposit)
    if (refusal !== null) throw new Error(`A system deposit was refused: ${refusal.message}`)
  }

  #footprintOf({ transaction, raw }: RecoveredTransaction): bigint {
    if (!this.#env.rules.jovian || transaction.type === DEPOSIT) return 0n
    return daFootprint(this.#fees.parameters, raw)
  }

  #include(recovered: RecoveredTransaction, { succeeded, logs, depositNonce }: ExecutionResult): void {
    const receipt = createReceipt({
      type: typeNumberOf(recovered),
      status: succeeded ? 1 : 0,
      cumulativeGasUsed: this.#gasUsed,
      logs,
      ...(depositNonce !== null && { depositNonce, depositReceiptVersion: 1n }),
    })
    this.#encodedReceipts.push(encodeReceipt(receipt))
    this.#indices.set(recovered.hash, this.#included.length)
    this.#included.push(includedTransaction(this.#fees, { recovered, receipt, previous: this.#included.at(-1) }))
  }
}

/** The first transaction of every block except block 0 names it. */
function originOf({ transactions: [attributes] }: ChainBlock): L1Origin | null {
  return attributes === undefined ? null : decodeAttributes(attributes.recovered.transaction.data).origin
}

/** The header before any transaction: transactions see it, and the roots are filled in later. */
function skeletonOf(protocol: Protocol, { header: parent, hash }: ChainBlock, plan: BlockPlan): Header {
  const number = parent.number + 1
  return {
    ...parent,
    ...UNUSED_FIELDS,
    parentHash: hash,
    miner: SEQUENCER_FEE_VAULT,
    number,
    gasLimit: protocol.gasLimit,
    gasUsed: 0n,
    timestamp: plan.timestamp,
    extraData: protocol.extraData,
    mixHash: protocol.seeded(`randomness after ${hash}, instead of ${plan.insteadOf ?? 'nothing'}`),
    baseFeePerGas: nextBaseFee(parent, protocol.rules, OP_BASE_FEE),
    parentBeaconBlockRoot: protocol.seeded(`beacon root of block ${number}`),
  }
}

const PAYLOAD_ID_DIGITS = 14

/** The first byte is the version of the Engine API payload. */
function payloadIdOf(protocol: Protocol, { parentHash, timestamp, mixHash }: Header): Hex {
  return `0x03${protocol.seeded(`payload on ${parentHash} at ${timestamp} with ${mixHash}`).slice(2, 2 + PAYLOAD_ID_DIGITS)}`
}
