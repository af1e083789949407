// The fee history of canonical blocks, from the node, followed by that of the preconfirmed blocks.
import { toQuantity } from '../../chain/bytes/hex.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { ETHEREUM_BASE_FEE, nextBaseFee, OP_BASE_FEE } from '../../chain/rules/base-fee.ts'
import { effectiveGasPrice } from '../../chain/rules/transaction-fees.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { isTip, type OptionalBlock } from '../state/locate-block.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

type FeeHistory = {
  readonly oldestBlock: string
  readonly baseFeePerGas: readonly string[]
  readonly gasUsedRatio: readonly number[]
  readonly baseFeePerBlobGas?: readonly string[]
  readonly blobGasUsedRatio?: readonly number[]
  readonly reward?: readonly (readonly string[])[]
}

export const feeMethods: Pick<RpcHandlers, 'eth_feeHistory'> = {
  async eth_feeHistory(scope, [count, newest, percentiles], raw) {
    const blocks = pendingUpTo(scope, newest)
    if (count === 0 || blocks.length === 0) return scope.ask('eth_feeHistory', atNode(scope, newest, raw))
    const head = scope.view.snapshot.canonical!.height
    // At least one block is asked for, because the answer shows which fields this chain has.
    const canonicalCount = Math.max(1, count - blocks.length)
    const canonical = (await scope.ask('eth_feeHistory', [
      toQuantity(canonicalCount),
      toQuantity(head),
      ...(percentiles ? [percentiles] : []),
    ])) as FeeHistory
    return newestOf(withPending(scope, canonical, blocks, percentiles ?? []), count)
  },
}

function pendingUpTo(scope: Scope, newest: OptionalBlock): readonly PendingBlock[] {
  const { blocks } = scope.view.snapshot
  if (isTip(scope, newest)) return blocks
  return newest?.type === 'number' ? blocks.filter(({ header }) => header.number <= newest.number) : []
}

/** `latest` and `pending` mean the canonical head of this scope, which may not be the node's newest. */
function atNode(
  scope: Scope,
  newest: OptionalBlock,
  [count, newestRaw, ...rest]: readonly unknown[],
): readonly unknown[] {
  const { tip, canonical } = scope.view.snapshot
  const isHead = newest?.type === 'tag' && (newest.tag === 'pending' || newest.tag === 'latest')
  if (!isHead) return [count, newestRaw, ...rest]
  return [count, tip === null ? 'latest' : toQuantity(canonical!.height), ...rest]
}

/** The last base fee of the node's answer is that of the first pending block, so the pending blocks replace it. */
function withPending(
  { rpc: { rulesOf } }: Scope,
  canonical: FeeHistory,
  blocks: readonly PendingBlock[],
  percentiles: readonly number[],
): FeeHistory {
  const { header } = blocks.at(-1)!
  const rules = rulesOf(header)
  const next = nextBaseFee(header, rules, rules.op ? OP_BASE_FEE : ETHEREUM_BASE_FEE)
  const fees = [...blocks.map((block) => block.header.baseFeePerGas ?? 0n), next].map(toQuantity)
  return {
    ...canonical,
    baseFeePerGas: [...canonical.baseFeePerGas.slice(0, -1), ...fees],
    gasUsedRatio: [...canonical.gasUsedRatio, ...blocks.map(usedRatio)],
    ...(canonical.baseFeePerBlobGas && {
      baseFeePerBlobGas: [...canonical.baseFeePerBlobGas.slice(0, -1), ...fees.map(() => '0x1')],
    }),
    ...(canonical.blobGasUsedRatio && { blobGasUsedRatio: [...canonical.blobGasUsedRatio, ...blocks.map(() => 0)] }),
    ...(percentiles.length > 0 && {
      reward: [...(canonical.reward ?? []), ...blocks.map((block) => rewardsOf(block, percentiles).map(toQuantity))],
    }),
  }
}

function newestOf(history: FeeHistory, count: number): FeeHistory {
  const surplus = Math.max(0, history.gasUsedRatio.length - count)
  if (surplus === 0) return history
  return {
    ...history,
    oldestBlock: toQuantity(Number(history.oldestBlock) + surplus),
    baseFeePerGas: history.baseFeePerGas.slice(surplus),
    gasUsedRatio: history.gasUsedRatio.slice(surplus),
    ...(history.baseFeePerBlobGas && { baseFeePerBlobGas: history.baseFeePerBlobGas.slice(surplus) }),
    ...(history.blobGasUsedRatio && { blobGasUsedRatio: history.blobGasUsedRatio.slice(surplus) }),
    ...(history.reward && { reward: history.reward.slice(surplus) }),
  }
}

function usedRatio({ header }: PendingBlock): number {
  return Number(header.gasUsed) / Number(header.gasLimit)
}

/** The tips at these percentiles of the block's gas. Deposits count, as with op-geth: they use gas and pay nothing. */
function rewardsOf({ header, transactions }: PendingBlock, percentiles: readonly number[]): bigint[] {
  const baseFee = header.baseFeePerGas ?? 0n
  const paid = transactions
    .map(({ recovered: { transaction }, outcome }) => ({
      tip: transaction.type === DEPOSIT ? 0n : effectiveGasPrice(transaction, baseFee) - baseFee,
      gasUsed: Number(outcome?.gasUsed ?? transaction.gasLimit),
    }))
    .sort((a, b) => Number(a.tip - b.tip))
  const total = paid.reduce((sum, { gasUsed }) => sum + gasUsed, 0)
  return percentiles.map((percentile) => {
    let below = 0
    for (const { tip, gasUsed } of paid) {
      below += gasUsed
      if (below >= (total * percentile) / 100) return tip
    }
    return 0n
  })
}
