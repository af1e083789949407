// Asks the node beforehand what transactions will read (`eth_createAccessList`). That saves a round for every storage slot that is found
// only through another. It is a guess: what it misses is fetched later. A node that has no such method is not asked again.

import { addressToHex, bytesToHex, hexToAddress, hexToWord, toQuantity } from '../chain/bytes/hex.ts'
import type { TouchedState } from '../chain/codec/flashblock.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../chain/codec/transaction.ts'
import { asObject, listOf } from '../chain/rpc/fields.ts'
import type { AskNode, NodeAnswer, Pin } from './node-state.ts'

export type Foresight = (
  transactions: readonly RecoveredTransaction[],
  pin: Pin,
  signal: AbortSignal,
) => Promise<TouchedState | null>

export function createForesight(ask: AskNode): Foresight {
  let isOffered = true
  return async (transactions, pin, signal) => {
    const calling = transactions.filter(
      ({ transaction }) => transaction.type !== DEPOSIT && transaction.data.length > 0,
    )
    if (!isOffered || calling.length === 0) return null
    const calls = calling.slice(0, MOST_CALLS).map((transaction) => ({
      method: 'eth_createAccessList',
      params: [callOf(transaction), { blockHash: pin.hash }],
    }))
    // A failure does no harm, because the run itself reports what it misses.
    const answers = await ask(calls, signal).catch((): readonly NodeAnswer[] => [])
    isOffered = !answers.some((answer) => answer.type === 'refused' && answer.code === METHOD_NOT_FOUND)
    return touchedIn(answers)
  }
}

const MOST_CALLS = 64
const METHOD_NOT_FOUND = -32601

function callOf({ from, transaction: { to, data, value, gasLimit } }: RecoveredTransaction) {
  return {
    from: addressToHex(from),
    ...(to !== null && { to: addressToHex(to) }),
    data: bytesToHex(data),
    value: toQuantity(value),
    gas: toQuantity(gasLimit),
  }
}

function touchedIn(answers: readonly NodeAnswer[]): TouchedState {
  const slots = new Map<bigint, Set<bigint>>()
  for (const answer of answers) {
    if (answer.type !== 'result') continue
    const { accessList } = (answer.result ?? {}) as { accessList?: unknown }
    for (const [address, keys] of entriesIn(accessList)) {
      slots.set(address, (slots.get(address) ?? new Set()).union(new Set(keys)))
    }
  }
  return { accounts: new Set(slots.keys()), slots }
}

function entriesIn(accessList: unknown): (readonly [bigint, readonly bigint[]])[] {
  try {
    return listOf({ accessList }, 'accessList', (item) => {
      const entry = asObject(item, 'entry')
      const keys = listOf(entry, 'storageKeys', (key) => hexToWord(key as string))
      return [hexToAddress(entry.address as string), keys] as const
    })
  } catch {
    return []
  }
}
