// What the lists of the index are compared with: the rows of a chain, chosen and ordered by plain loops.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { Queries } from '../../src/store/engine/database.ts'
import type { Page } from '../../src/store/read/page.ts'
import { heightOf } from '../../src/store/schema/position.ts'
import type { BlockRows, TokenDeltaRow, TokenKind } from '../../src/store/schema/rows.ts'
import { ADDRESSES, TOKENS } from './chain-rows.ts'

export type ChainList<Row = unknown, Key = unknown> = {
  readonly name: string
  /** What SQLite calls the index that must serve it. */
  readonly index: string
  readonly read: (queries: Queries, page: Page<Key>) => Promise<Row[]>
  /** Missing where a column of another row says it. */
  readonly count?: (queries: Queries) => Promise<number>
  /** What identifies a row, and where the list goes on. */
  readonly keyOf: (row: Row) => Key
  readonly expected: (chain: readonly BlockRows[]) => unknown[]
}

export type Placed = { readonly pos: number }
export type Parties = Placed & { readonly sender: Hex; readonly recipient: Hex | null }

export const ETHER = 10n ** 18n
export const ALL = 1_000_000
export const [ann, token] = [ADDRESSES[0]!, TOKENS[0]!.address]
export const range = { from: 3, to: 9 }

export function newest(rows: readonly Placed[]) {
  return rows.map(({ pos }) => pos).sort((a, b) => b - a)
}
export function oldest(rows: readonly Placed[]) {
  return newest(rows).reverse()
}
export function isInRange({ pos }: Placed) {
  return heightOf(pos) >= range.from && heightOf(pos) <= range.to
}
export function isAt(height: number) {
  return (row: Placed) => heightOf(row.pos) === height
}
export function transactionsOf(chain: readonly BlockRows[]) {
  return chain.flatMap((rows) => rows.transactions)
}
export function transfersOf(chain: readonly BlockRows[]) {
  return chain.flatMap((rows) => rows.transfers)
}
export function internalsOf(chain: readonly BlockRows[]) {
  return chain.flatMap((rows) => rows.internals)
}
export function logsOf(chain: readonly BlockRows[]) {
  return chain.flatMap((rows) => rows.logs)
}
export function partiesOf(chain: readonly BlockRows[]): Parties[] {
  return transactionsOf(chain).map((row) => ({ ...row, recipient: row.recipient ?? row.contractAddress }))
}
export function isWith(address: Hex) {
  return (row: Parties) => row.sender === address || row.recipient === address
}

export function list<Row, Key>(definition: ChainList<Row, Key>): ChainList {
  return definition as unknown as ChainList
}
export function keyOf({ pos }: Placed) {
  return pos
}

/** Transactions that the lists by transaction are asked for. */
export function some(chain: readonly BlockRows[]) {
  return transactionsOf(chain).slice(0, 7)
}

export function balancesOf(chain: readonly BlockRows[], keyText: (row: TokenDeltaRow) => string) {
  const sums = new Map<string, TokenDeltaRow>()
  for (const row of chain.flatMap(({ tokenDeltas }) => tokenDeltas)) {
    sums.set(keyText(row), { ...row, delta: (sums.get(keyText(row))?.delta ?? 0n) + row.delta })
  }
  return [...sums.values()].filter(({ delta }) => delta > 0n)
}
export function byText(a: string, b: string) {
  return a < b ? -1 : 1
}
export function byRank(a: { balance: bigint; address: Hex }, b: { balance: bigint; address: Hex }) {
  return a.balance === b.balance ? -byText(a.address, b.address) : a.balance < b.balance ? 1 : -1
}
export function kindOf(address: Hex): TokenKind {
  return TOKENS.find((one) => one.address === address)!.kind
}
