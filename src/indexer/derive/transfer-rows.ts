// Token transfers from the logs of a block, the changes of balances that follow, and the tokens whose metadata may be needed.
import type { Hex } from '../../chain/bytes/hex.ts'
import { type TokenStandard, type TokenTransfer, transfersFromLog } from '../../chain/tokens/transfers-from-logs.ts'
import { type WrappedChange, wrappedChangeFromLog } from '../../chain/tokens/wrapped-native.ts'
import { INDEXES_A_BLOCK, positionOf } from '../../store/schema/position.ts'
import type { TokenDeltaRow, TokenKind, TransferRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'
import { TokenDeltas, ZERO_ADDRESS } from './token-deltas.ts'

export type DerivedTransfers = {
  readonly transfers: readonly TransferRow[]
  readonly tokenDeltas: readonly TokenDeltaRow[]
  /** Tokens of the transfers. */
  readonly tokens: ReadonlyMap<Hex, TokenUse>
  /** Changes by wrapping and unwrapping; they count only if the contract is a token. */
  readonly wrapped: readonly TokenDeltaRow[]
  /** Logs that claim to be transfers and cannot be read. */
  readonly malformedTransfers: number
}

export type TokenUse = { readonly kind: TokenKind; readonly changesSupply: boolean }

export function transferRows({ header, receipts }: NodeBlock): DerivedTransfers {
  const height = header.number
  const transfers: TransferRow[] = []
  const tokens = new Map<Hex, TokenUse>()
  const deltas = new TokenDeltas(height)
  const wrapped = new TokenDeltas(height)
  let logIndex = 0
  let malformedTransfers = 0

  for (const [index, { receipt }] of receipts.entries()) {
    const txPos = positionOf(height, index)
    const firstOfTransaction = transfers.length
    const changes: WrappedChange[] = []
    for (const log of receipt.logs) {
      const found = transfersFromLog(log)
      if (found === 'malformed' || transfers.length + found.length > INDEXES_A_BLOCK) malformedTransfers++
      else {
        for (const transfer of found) {
          transfers.push(transferRow(transfer, { pos: positionOf(height, transfers.length), txPos, logIndex }))
        }
      }
      const change = wrappedChangeFromLog(log)
      if (change !== null) changes.push(change)
      logIndex++
    }
    if (changes.length > 0) addWrapped(wrapped, changes, transfers.slice(firstOfTransaction))
  }
  for (const transfer of transfers) {
    addDeltas(deltas, transfer)
    addUse(tokens, transfer)
  }
  return { transfers, tokenDeltas: deltas.rows(), tokens, wrapped: wrapped.rows(), malformedTransfers }
}

function addDeltas(deltas: TokenDeltas, { token, sender, recipient, tokenId, amount }: TransferRow): void {
  deltas.add({ token, address: sender, tokenId }, -amount)
  deltas.add({ token, address: recipient, tokenId }, amount)
}

function addUse(tokens: Map<Hex, TokenUse>, { token, kind, sender, recipient }: TransferRow): void {
  const changesSupply = sender === ZERO_ADDRESS || recipient === ZERO_ADDRESS
  const known = tokens.get(token)
  // A contract with transfers of amounts and of ids (ERC-404 and the like) answers for balances in amounts, so it counts as an ERC-20.
  const lowest = known === undefined || kind < known.kind ? kind : known.kind
  tokens.set(token, { kind: lowest, changesSupply: changesSupply || known?.changesSupply === true })
}

/** Some wrappers log a deposit also as a transfer from the zero address; such a deposit is counted already. */
function addWrapped(wrapped: TokenDeltas, changes: readonly WrappedChange[], transfers: readonly TransferRow[]): void {
  for (const { token, holder, delta } of changes) {
    const key = { token: addressText(token), address: addressText(holder), tokenId: null }
    const isLoggedTwice = transfers.some(
      (transfer) =>
        transfer.token === key.token &&
        (delta < 0n
          ? transfer.recipient === ZERO_ADDRESS && transfer.sender === key.address && transfer.amount === -delta
          : transfer.sender === ZERO_ADDRESS && transfer.recipient === key.address && transfer.amount === delta),
    )
    if (!isLoggedTwice) wrapped.add(key, delta)
  }
}

const KINDS: { readonly [standard in TokenStandard]: TokenKind } = { erc20: 20, erc721: 721, erc1155: 1155 }

function transferRow(
  { standard, token, from, to, amount, tokenId }: TokenTransfer,
  position: Pick<TransferRow, 'pos' | 'txPos' | 'logIndex'>,
): TransferRow {
  return {
    ...position,
    kind: KINDS[standard],
    token: addressText(token),
    sender: addressText(from),
    recipient: addressText(to),
    amount,
    tokenId: standard === 'erc20' ? null : tokenId,
  }
}
