// What an account holds after a block. Where we have executed the block we know; else what the feed itself tells of balances and nonces
// is told, and the rest is the node's.
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
import type { Account, Misses } from '../../evm/state/state-source.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { hasState } from '../state/recent-blocks.ts'
import { isTip, type OptionalBlock, type Scope, stateAt } from '../state/scope.ts'
import { fetchMisses } from '../state/state-fetch.ts'
import { onceKnown } from '../state/value-or-promise.ts'

export const stateMethods: Pick<
  RpcHandlers,
  'eth_getBalance' | 'eth_getTransactionCount' | 'eth_getCode' | 'eth_getStorageAt'
> = {
  eth_getBalance(scope, [address, block]) {
    const told = isToldByFeed(scope, block) ? balanceTold(scope.view.snapshot.blocks, hexToAddress(address)) : null
    if (told !== null) return toQuantity(told)
    return read(scope, block, {
      ask: ['eth_getBalance', address],
      from: (state) => accountIn(scope, state, hexToAddress(address), (account) => toQuantity(account?.balance ?? 0n)),
    })
  },

  eth_getTransactionCount(scope, [address, block]) {
    const ownNonce = (): unknown => {
      const told = isToldByFeed(scope, block) ? nonceTold(scope.view.snapshot.blocks, hexToAddress(address)) : null
      if (told !== null) return toQuantity(told)
      return read(scope, block, {
        ask: ['eth_getTransactionCount', address],
        from: (state) => accountIn(scope, state, hexToAddress(address), (account) => toQuantity(account?.nonce ?? 0n)),
      })
    }
    // The tag counts what waits in the pool as well: a wallet that did not would replace its own transactions.
    const countsPool = block?.type === 'tag' && block.tag === 'pending'
    return countsPool ? largerNonce(Promise.resolve(ownNonce()), poolNonce(scope, address)) : ownNonce()
  },

  eth_getCode: (scope, [address, block]) =>
    read(scope, block, {
      ask: ['eth_getCode', address],
      from: (state) =>
        accountIn(scope, state, hexToAddress(address), (account) => {
          const code = account && state.source.code(hexToAddress(address), account.codeHash)
          if (account && code === undefined)
            return missing({ codes: new Map([[hexToAddress(address), account.codeHash]]) })
          return bytesToHex(code || EMPTY_BYTES)
        }),
    }),

  eth_getStorageAt: (scope, [address, slot, block]) =>
    read(scope, block, {
      ask: ['eth_getStorageAt', address, wordToHex(slot)],
      from: (state) =>
        accountIn(scope, state, hexToAddress(address), (account) => {
          if (account === null) return wordToHex(0n)
          const value = state.source.storage(hexToAddress(address), slot)
          return value === undefined
            ? missing({ slots: new Map([[hexToAddress(address), new Set([slot])]]) })
            : wordToHex(value)
        }),
    }),
}

type Reading = {
  /** Method and first parameters, for the node. */
  readonly ask: readonly [method: string, ...params: readonly unknown[]]
  from(state: PendingState): unknown
}

function read(scope: Scope, block: OptionalBlock, { ask: [method, ...params], from }: Reading): unknown {
  return onceKnown(stateAt(scope, block), (found) =>
    found.type === 'state' ? from(found.state) : scope.ask(method, [...params, found.at]),
  )
}

type Missing = { readonly misses: Partial<Misses> }
function missing(misses: Partial<Misses>): Missing {
  return { misses }
}

/** What `tell` makes of the account, after whatever it found missing was fetched. */
function accountIn(
  scope: Scope,
  state: PendingState,
  address: bigint,
  tell: (account: Account | null) => string | Missing,
): unknown {
  const account = state.source.account(address)
  const told = account === undefined ? missing({ accounts: new Set([address]) }) : tell(account)
  if (typeof told === 'string') return told
  return fetchMisses(scope, state, told.misses).then(() => accountIn(scope, state, address, tell))
}

/** Where we have not executed the tip. */
function isToldByFeed(scope: Scope, block: OptionalBlock): boolean {
  return isTip(scope, block) && !hasState(scope.view)
}

/** Null where no block changed it, or the feed tells no balances. */
function balanceTold(blocks: readonly PendingBlock[], address: bigint): bigint | null {
  return blocks.findLast(({ balances }) => balances.has(address))?.balances.get(address) ?? null
}

function nonceTold(blocks: readonly PendingBlock[], address: bigint): bigint | null {
  for (const { transactions } of blocks.toReversed()) {
    const last = transactions.findLast(({ recovered }) => recovered.from === address)
    if (last === undefined) continue
    const { transaction } = last.recovered
    if (transaction.type !== DEPOSIT) return transaction.nonce + 1n
    const before = last.outcome?.receipt.depositNonce
    return before === undefined ? null : before + 1n
  }
  return null
}

/** Null where the node does not tell. */
function poolNonce(scope: Scope, address: string): Promise<unknown> {
  return scope.ask('eth_getTransactionCount', [addressToHex(hexToAddress(address)), 'pending']).catch(() => null)
}

async function largerNonce(own: Promise<unknown>, pool: Promise<unknown>): Promise<unknown> {
  const [ours, pools] = await Promise.all([own, pool])
  if (typeof ours !== 'string' || typeof pools !== 'string') return ours
  return fromQuantity(pools) > fromQuantity(ours) ? pools : ours
}
