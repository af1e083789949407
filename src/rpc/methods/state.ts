// Balance, nonce, code and storage after a block. If the tip is not executed, balances and nonces that the feed itself reports are used;
// everything else is the node's.
import {
  addressToHex,
  bytesToHex,
  EMPTY_BYTES,
  fromQuantity,
  hexToAddress,
  toQuantity,
  wordToHex,
} from '../../chain/bytes/hex.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import type { Account, Misses } from '../../evm/state/state-source.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { isTip, locateState, type OptionalBlock } from '../state/locate-block.ts'
import { fetchMisses } from '../state/missing-state.ts'
import { isNodeSilent } from '../state/node-calls.ts'
import { hasState } from '../state/recent-states.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

export const stateMethods: Pick<
  RpcHandlers,
  'eth_getBalance' | 'eth_getTransactionCount' | 'eth_getCode' | 'eth_getStorageAt'
> = {
  async eth_getBalance(scope, [address, block]) {
    const reported = usesFeed(scope, block) && balanceInFeed(scope.view.snapshot.blocks, hexToAddress(address))
    if (typeof reported === 'bigint') return toQuantity(reported)
    return readAccount(scope, block, {
      method: 'eth_getBalance',
      params: [address],
      read: (account) => toQuantity(account?.balance ?? 0n),
    })
  },

  async eth_getTransactionCount(scope, [address, block]) {
    // The tag `pending` counts the node's pool too: otherwise a wallet would replace its own waiting transactions.
    const countsPool = block?.type === 'tag' && block.tag === 'pending'
    if (!countsPool) return nonceAt(scope, address, block)
    const [own, pool] = await Promise.all([nonceAt(scope, address, block), poolNonce(scope, address)])
    if (typeof own !== 'string' || typeof pool !== 'string') return own
    return fromQuantity(pool) > fromQuantity(own) ? pool : own
  },

  eth_getCode: (scope, [address, block]) =>
    readAccount(scope, block, {
      method: 'eth_getCode',
      params: [address],
      read(account, { source }) {
        if (account === null) return bytesToHex(EMPTY_BYTES)
        const code = source.code(hexToAddress(address), account.codeHash)
        return code === undefined
          ? { misses: { codes: new Map([[hexToAddress(address), account.codeHash]]) } }
          : bytesToHex(code.bytes)
      },
    }),

  eth_getStorageAt: (scope, [address, slot, block]) =>
    readAccount(scope, block, {
      method: 'eth_getStorageAt',
      params: [address, wordToHex(slot)],
      read(account, { source }) {
        if (account === null) return wordToHex(0n)
        const value = source.storage(hexToAddress(address), slot)
        return value === undefined
          ? { misses: { slots: new Map([[hexToAddress(address), new Set([slot])]]) } }
          : wordToHex(value)
      },
    }),
}

type AccountRead = {
  readonly method: string
  /** The parameters before the block, the address first. */
  readonly params: readonly [address: string, ...rest: readonly string[]]
  /** The answer, or what the source has to fetch before there is one. */
  read(account: Account | null, state: PendingState): string | { readonly misses: Partial<Misses> }
}

async function readAccount(
  scope: Scope,
  block: OptionalBlock,
  { method, params, read }: AccountRead,
): Promise<unknown> {
  const found = await locateState(scope, block)
  if (found.type === 'node') return scope.ask(method, [...params, found.at])
  const { state } = found
  const address = hexToAddress(params[0])
  for (;;) {
    const account = state.source.account(address)
    const result = account === undefined ? { misses: { accounts: new Set([address]) } } : read(account, state)
    if (typeof result === 'string') return result
    await fetchMisses(scope.rpc, state, result.misses)
  }
}

async function nonceAt(scope: Scope, address: string, block: OptionalBlock): Promise<unknown> {
  const reported = usesFeed(scope, block) && nonceInFeed(scope.view.snapshot.blocks, hexToAddress(address))
  if (typeof reported === 'bigint') return toQuantity(reported)
  return readAccount(scope, block, {
    method: 'eth_getTransactionCount',
    params: [address],
    read: (account) => toQuantity(account?.nonce ?? 0n),
  })
}

/** Whether the block is the tip and is not executed. */
function usesFeed(scope: Scope, block: OptionalBlock): boolean {
  return isTip(scope, block) && !hasState(scope.view)
}

/** Undefined if no block changed it, or the feed reports no balances. */
function balanceInFeed(blocks: readonly PendingBlock[], address: bigint): bigint | undefined {
  return blocks.findLast(({ balances }) => balances.has(address))?.balances.get(address)
}

function nonceInFeed(blocks: readonly PendingBlock[], address: bigint): bigint | undefined {
  for (const { transactions } of blocks.toReversed()) {
    const last = transactions.findLast(({ recovered }) => recovered.from === address)
    if (last === undefined) continue
    const { transaction } = last.recovered
    if (transaction.type !== DEPOSIT) return transaction.nonce + 1n
    const before = last.outcome?.receipt.depositNonce
    return before === undefined ? undefined : before + 1n
  }
  return undefined
}

/**
 * Null if the node refuses to count its pool. If it does not answer at all, so does this method: a number without the pool would make a
 * wallet replace its own waiting transactions.
 */
async function poolNonce(scope: Scope, address: string): Promise<unknown> {
  try {
    return await scope.ask('eth_getTransactionCount', [addressToHex(hexToAddress(address)), 'pending'])
  } catch (error) {
    if (isNodeSilent(error)) throw serverError('the node does not answer, so its pool cannot be counted')
    return null
  }
}
