// Wrapped native currency is minted and burnt by events of its own, which are not transfers. Contracts that are not tokens emit the same
// events, so whoever applies a change must know that the contract is a wrapped token.
import { bytesToBigint } from '../bytes/hex.ts'
import type { Log } from '../codec/log.ts'

export type WrappedChange = { readonly token: bigint; readonly holder: bigint; readonly delta: bigint }

export function wrappedChangeFromLog({ address: token, topics, data }: Log): WrappedChange | null {
  const [event, holder] = topics
  if (event !== DEPOSIT && event !== WITHDRAWAL) return null
  if (topics.length !== 2 || data.length !== WORD || holder! >= ADDRESS_LIMIT) return null
  const amount = bytesToBigint(data)
  return { token, holder: holder!, delta: event === DEPOSIT ? amount : -amount }
}

/** Deposit(address,uint256) */
export const DEPOSIT = 0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109cn
/** Withdrawal(address,uint256) */
export const WITHDRAWAL = 0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65n

const WORD = 32
const ADDRESS_LIMIT = 1n << 160n
