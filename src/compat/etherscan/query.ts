// Parameters of the facade, as lenient as clients need and no more.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { ChainContext } from '../../explorer/state/chain-context.ts'
import type { Order, Page } from '../../store/read/page.ts'
import { type EtherscanAnswer, EtherscanRefusal, windowTooLarge } from './answer.ts'

export type EtherscanQuery = Readonly<Record<string, string | undefined>>

/** What one `action` of a `module` does. */
export type Action = (chain: ChainContext, query: EtherscanQuery, client: string) => Promise<EtherscanAnswer>

/** How far page numbers reach, and how many rows a page may have. */
const WINDOW = 10_000
const MAX_HEIGHT = 2 ** 33 - 2

export function addressFrom(text: string | undefined): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text ?? '')) throw new EtherscanRefusal('Error! Invalid address format')
  return text!.toLowerCase() as Hex
}

export function optionalAddress(text: string | undefined): Hex | undefined {
  return text ? addressFrom(text) : undefined
}

export function addressesFrom(text: string | undefined, most: number): Hex[] {
  const addresses = (text ?? '').split(',').map((each) => addressFrom(each.trim()))
  if (addresses.length > most) throw new EtherscanRefusal(`Error! Maximum ${most} addresses`)
  return [...new Set(addresses)]
}

export function hashFrom(text: string | undefined): Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text ?? '')) throw new EtherscanRefusal('Error! Invalid transaction hash')
  return text!.toLowerCase() as Hex
}

export function heightFrom(text: string | undefined): number {
  const height = Number(text)
  if (!/^\d{1,15}$/.test(text ?? '')) throw new EtherscanRefusal('Error! Invalid block number')
  return Math.min(height, MAX_HEIGHT)
}

/** A missing bound is open; tags are the ends of the stored chain. */
export function rangeFrom(
  { heads }: ChainContext,
  { from, to }: { from: string | undefined; to: string | undefined },
): { from: number; to: number } {
  const boundFrom = (text: string | undefined, open: number): number => {
    if (text === undefined || text === '') return open
    if (text === 'latest' || text === 'pending') return heads.latest
    return text === 'earliest' ? 0 : heightFrom(text)
  }
  return { from: boundFrom(from, 0), to: boundFrom(to, MAX_HEIGHT) }
}

/** `page` counts from 1; without `offset` a page has all that the window holds. */
export function pageFrom({ page, offset }: EtherscanQuery, most = WINDOW): Page {
  const number = positive(page) ?? 1
  const limit = Math.min(positive(offset) ?? most, most)
  if (number * limit > WINDOW) throw windowTooLarge()
  return { limit, offset: (number - 1) * limit }
}

export function orderFrom({ sort }: EtherscanQuery): Order {
  return sort?.toLowerCase() === 'desc' ? 'newest' : 'oldest'
}

/** Zero, blank and nonsense mean the default, as clients that fill in every parameter expect. */
function positive(text: string | undefined): number | undefined {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}
