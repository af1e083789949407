// Native balances as answers show them: from the index where it is sure of them, otherwise from the node at the same block, otherwise
// marked. Nothing is zero because nobody answered.
import type { Hex } from '../chain/bytes/hex.ts'
import { nativeBalancesOf } from '../store/read/native-balances.ts'
import type { ChainContext } from './state/chain-context.ts'

/** `balance` is null where it is not known. */
export type ShownBalance = { readonly balance: bigint | null; readonly isExact: boolean }

export async function shownBalances(chain: ChainContext, addresses: readonly Hex[]): Promise<Map<Hex, ShownBalance>> {
  const { reader, heads, balances } = chain
  const { areExact, areComplete } = reader.state.nativeBalances
  const stored = await nativeBalancesOf(reader, addresses)
  const isSure = (address: Hex): boolean => {
    const row = stored.get(address)
    return row === undefined ? areComplete : areExact && row.balance !== null
  }
  const unsure = addresses.filter((address) => !isSure(address))
  const read = unsure.length > 0 ? await balances?.readAt(unsure, heads.latest) : undefined
  return new Map(
    addresses.map((address) => {
      const row = stored.get(address)
      if (isSure(address)) return [address, { balance: row?.balance ?? 0n, isExact: true }]
      const answer = read?.get(address)
      return [address, { balance: answer ?? row?.balance ?? null, isExact: answer !== undefined }]
    }),
  )
}

/** Whether an answer with balances can change before the chain does: the node may answer later what it does not answer now. */
export function mayAskNode({ reader }: ChainContext): boolean {
  const { areExact, areComplete } = reader.state.nativeBalances
  return !areExact || !areComplete
}

/** Whether every balance in a list of the index is exact, and every address with a balance is in it. */
export function listMarks({ reader }: ChainContext): { balancesExact: boolean; balancesComplete: boolean } {
  const { areExact, areComplete } = reader.state.nativeBalances
  return { balancesExact: areExact, balancesComplete: areComplete }
}
