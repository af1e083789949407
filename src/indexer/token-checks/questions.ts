// What a token contract is asked, and what its answers say: names, supply, and for each holder the balance and the ids.
import type { Hex } from '../../chain/bytes/hex.ts'
import {
  addressFromAnswer,
  balanceCall,
  DECIMALS_CALL,
  decimalsFromAnswer,
  itemBalanceCall,
  NAME_CALL,
  ownerCall,
  SYMBOL_CALL,
  TOTAL_SUPPLY_CALL,
  textFromAnswer,
  wordFromAnswer,
} from '../../chain/tokens/token-answers.ts'
import type { KnownHolder } from '../../store/read/token-checks.ts'
import type { TokenKind, TokenRow } from '../../store/schema/rows.ts'
import type { TokenItemRow } from '../../store/schema/tables.ts'
import { ZERO_ADDRESS } from '../derive/token-deltas.ts'
import type { ContractAnswer, ContractCall } from './contract-answers.ts'

export type AskedHolder = KnownHolder & { readonly items: readonly TokenItemRow[] }

export type AskedToken = Pick<TokenRow, 'address' | 'kind'> & { readonly holders: readonly AskedHolder[] }

/** `refused` where the contract does not say. */
type Said<T> = T | 'refused'

export type HolderAnswer = {
  readonly holder: AskedHolder
  /** Of an ERC-1155 over all known ids. */
  readonly balance: Said<bigint>
  readonly items: readonly ItemAnswer[]
}

export type ItemAnswer = {
  readonly item: TokenItemRow
  readonly balance: bigint
  /** Of an ERC-721 who has the id, if anybody. */
  readonly owner: Hex | undefined
}

export type TokenAnswer = {
  /** Only those that the contract says. */
  readonly names: { name?: string; symbol?: string; decimals?: number }
  readonly supply: bigint | null
  /** What the zero address has, which is nobody's; pairs of Uniswap lock some there, and it counts as supply. */
  readonly burnt: bigint
  readonly holders: readonly HolderAnswer[]
}

const ABOUT_TOKEN = [NAME_CALL, SYMBOL_CALL, DECIMALS_CALL, TOTAL_SUPPLY_CALL, balanceCall(ZERO_ADDRESS)]

export function callsFor({ address: token, kind, holders }: AskedToken): ContractCall[] {
  const inputs = [...ABOUT_TOKEN, ...holders.flatMap((holder) => callsAbout(kind, holder))]
  return inputs.map((input) => ({ token, input }))
}

function callsAbout(kind: TokenKind, { address, items }: AskedHolder): Hex[] {
  if (kind === 20) return [balanceCall(address)]
  if (kind === 1155) return items.map(({ tokenId }) => itemBalanceCall(address, tokenId))
  return [balanceCall(address), ...items.map(({ tokenId }) => ownerCall(tokenId))]
}

/** Undefined where the node left a question open, so that nothing follows. */
export function answerOf(token: AskedToken, answers: readonly ContractAnswer[]): TokenAnswer | undefined {
  if (answers.some(({ type }) => type === 'unanswered')) return undefined
  const [name, symbol, decimals, supply, burnt] = answers
  const said = <T>(answer: ContractAnswer | undefined, read: (data: Hex) => T | null): T | undefined =>
    (answer?.type === 'answer' ? read(answer.data) : null) ?? undefined
  let next = ABOUT_TOKEN.length
  const holders = token.holders.map((holder) => {
    const own = answers.slice(next, next + callsAbout(token.kind, holder).length)
    next += own.length
    return holderAnswer(token.kind, holder, own)
  })
  return {
    names: definedOf({
      name: said(name, textFromAnswer),
      symbol: said(symbol, textFromAnswer),
      decimals: said(decimals, decimalsFromAnswer),
    }),
    supply: said(supply, wordFromAnswer) ?? null,
    burnt: said(burnt, wordFromAnswer) ?? 0n,
    holders,
  }
}

function holderAnswer(kind: TokenKind, holder: AskedHolder, answers: readonly ContractAnswer[]): HolderAnswer {
  const words = answers.map((answer) => (answer.type === 'answer' ? wordFromAnswer(answer.data) : null))
  switch (kind) {
    case 20:
      return { holder, balance: words[0] ?? 'refused', items: [] }
    case 721: {
      const items = holder.items.map((item, index): ItemAnswer => {
        const answer = answers[index + 1]!
        // A contract refuses to name the owner of an id that is burnt.
        const owner = (answer.type === 'answer' ? addressFromAnswer(answer.data) : null) ?? undefined
        return { item, owner, balance: owner === item.address ? 1n : 0n }
      })
      return { holder, balance: words[0] ?? 'refused', items }
    }
    case 1155: {
      if (words.length > 0 && words.every((word) => word === null)) return { holder, balance: 'refused', items: [] }
      const items = holder.items.map((item, index) => ({ item, owner: undefined, balance: words[index] ?? 0n }))
      // A holder may have more ids than are asked about at a time.
      const difference = items.reduce((sum, { item, balance }) => sum + balance - item.balance, 0n)
      return { holder, balance: holder.balance + difference, items }
    }
  }
}

function definedOf(names: { [K in keyof TokenAnswer['names']]: TokenAnswer['names'][K] | undefined }) {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)) as TokenAnswer['names']
}
