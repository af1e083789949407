// Reads native balances that the index could not compute from the node, at the stored head, whose state every node has: first those that
// are not known, then, after blocks in which native currency may have moved unseen, all of them once.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import {
  addressesAfter,
  balancesCheckedTo,
  countBalances,
  countUnknownBalances,
  highestUnseenChange,
  setBalancesCheckedTo,
  setReadBalances,
  unknownBalances,
} from '../../store/chain/native-repair.ts'
import type { Database } from '../../store/engine/database.ts'
import { chainState } from '../../store/read/chain-state.ts'
import type { Node } from '../../upstream/node/node.ts'
import { weiFrom } from '../complete/state-at-block.ts'

export type BalanceRepairProgress = {
  readonly state: 'done' | 'reading balances that are not known' | 'checking all balances' | 'waiting for the node'
  /** Balances that are not known yet, counted up to a bound. */
  readonly unknown: number
  /** Of a check of all balances. */
  readonly checked: number
  readonly total: number
  /** All balances were read from the node at this height or later; null if that was never needed. */
  readonly checkedToHeight: number | null
  /** Balances that the node knew otherwise, since the start of the process. */
  readonly corrected: number
  /** Why the node does not give balances at the head; null while it does. */
  readonly problem: string | null
}

export const noBalanceRepair: BalanceRepairProgress = {
  state: 'done',
  unknown: 0,
  checked: 0,
  total: 0,
  checkedToHeight: null,
  corrected: 0,
  problem: null,
}

export type BalanceRepairParts = {
  readonly node: Pick<Node, 'batch'>
  readonly database: Database
  /** The stored balances of these addresses were changed. */
  readonly onChanged: (addresses: readonly Hex[]) => void
}

export type BalanceRepair = {
  /** One step of at most `STEP` balances. Nothing may be written to the chain meanwhile. Returns whether there is more to do now. */
  step(signal: AbortSignal): Promise<boolean>
  progress(): BalanceRepairProgress
}

const STEP = 200
const MOST_COUNTED = 100_000
/** After a check of all balances the next one waits ten times as long as it took: a node without traces makes one necessary all the time. */
const PAUSE_SHARE = 10
const SHORTEST_PAUSE_MS = 2_000

type Check = { readonly fromHeight: number; readonly startedMs: number; after: Hex | null }

export function createBalanceRepair({ node, database, onChanged }: BalanceRepairParts): BalanceRepair {
  let progress = noBalanceRepair
  let check: Check | undefined
  let nextCheckMs = 0

  /** Undefined where the node refused, or its block at this height is another one. */
  const readAtHead = async (addresses: readonly Hex[], head: { height: number; hash: Hex }, signal: AbortSignal) => {
    const at = toQuantity(head.height)
    const answers = await node.batch(
      [
        ...addresses.map((address) => ({ method: 'eth_getBalance', params: [address, at] })),
        { method: 'eth_getBlockByNumber', params: [at, false] },
      ],
      signal,
    )
    const block = answers.at(-1)!
    const refused = answers.find((answer) => answer.type === 'refused')
    if (refused?.type === 'refused') return { problem: refused.message }
    const isSame = block.type === 'result' && (block.result as { hash?: string } | null)?.hash === head.hash
    if (!isSame) return { problem: `the node has another block ${head.height}` }
    const read = addresses.map((address, index) => {
      const answer = answers[index]!
      return { address, balance: answer.type === 'result' ? weiFrom(answer.result as Hex) : null }
    })
    const known = read.flatMap(({ address, balance }) => (balance === null ? [] : [{ address, balance }]))
    return known.length === read.length ? { read: known } : { problem: 'eth_getBalance gives no number' }
  }

  /** False where the node did not answer for all of them. */
  const repair = async (addresses: readonly Hex[], head: { height: number; hash: Hex }, signal: AbortSignal) => {
    const outcome = await readAtHead(addresses, head, signal)
    if (outcome.read === undefined) {
      progress = { ...progress, state: 'waiting for the node', problem: outcome.problem }
      return false
    }
    const changed = await setReadBalances(database, outcome.read, head.height)
    onChanged(changed)
    progress = { ...progress, problem: null, corrected: progress.corrected + changed.length }
    return true
  }

  const isCheckNeeded = async (): Promise<boolean> => {
    const unseen = await highestUnseenChange(database)
    const checkedToHeight = await balancesCheckedTo(database)
    progress = { ...progress, checkedToHeight }
    return unseen !== null && unseen > (checkedToHeight ?? -1)
  }

  const checkSome = async (head: { height: number; hash: Hex }, signal: AbortSignal): Promise<boolean> => {
    if (check === undefined) {
      check = { fromHeight: head.height, startedMs: performance.now(), after: null }
      progress = { ...progress, checked: 0, total: await countBalances(database) }
    }
    const addresses = await addressesAfter(database, check.after, STEP)
    if (addresses.length > 0) {
      if (!(await repair(addresses, head, signal))) return false
      check.after = addresses.at(-1)!
      progress = { ...progress, state: 'checking all balances', checked: progress.checked + addresses.length }
    }
    if (addresses.length === STEP) return true
    await setBalancesCheckedTo(database, check.fromHeight)
    nextCheckMs = performance.now() + Math.max(SHORTEST_PAUSE_MS, PAUSE_SHARE * (performance.now() - check.startedMs))
    check = undefined
    await isCheckNeeded()
    progress = { ...progress, state: 'done' }
    return false
  }

  return {
    progress: () => progress,
    async step(signal) {
      const { head } = await chainState(database)
      if (head === undefined) return false
      const unknown = await unknownBalances(database, STEP)
      progress = { ...progress, unknown: await countUnknownBalances(database, MOST_COUNTED) }
      if (unknown.length > 0) {
        progress = { ...progress, state: 'reading balances that are not known' }
        if (!(await repair(unknown, head, signal))) return false
        progress = { ...progress, unknown: await countUnknownBalances(database, MOST_COUNTED) }
        return true
      }
      const isNeeded = check !== undefined || (await isCheckNeeded())
      if (!isNeeded) {
        progress = { ...progress, state: 'done', problem: null }
        return false
      }
      if (check === undefined && performance.now() < nextCheckMs) return false
      return checkSome(head, signal)
    },
  }
}
