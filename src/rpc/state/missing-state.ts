// State that the source of a pending block does not know: records what a run misses, and fetches it from the node.
import { serverError } from '../../evm/call/call-failures.ts'
import type { Misses, StateSource } from '../../evm/state/state-source.ts'
import type { PendingState } from '../../pending/executor.ts'
import { StateUnavailable } from '../../pending/node-state.ts'

export type FetchLimits = { readonly signal: AbortSignal; readonly limits: { readonly callTimeoutMs: number } }

/** Afterwards the state's source knows what was missing. */
export async function fetchMisses(
  { signal, limits }: FetchLimits,
  state: Pick<PendingState, 'fetch'>,
  misses: Partial<Misses>,
): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limits.callTimeoutMs)])
  try {
    await state.fetch(misses, within)
  } catch (error) {
    if (error instanceof StateUnavailable || within.aborted) throw serverError('the node does not provide the state')
    throw error
  }
}

export type RecordingSource = { readonly source: StateSource; misses(): Misses | null }

/** A source that records what it could not answer, for all the worlds that read from it. */
export function recordMisses(source: StateSource): RecordingSource {
  const accounts = new Set<bigint>()
  const slots = new Map<bigint, Set<bigint>>()
  const codes = new Map<bigint, bigint>()
  const blockHashes = new Set<number>()
  const recorded = <T>(value: T | undefined, record: () => void): T | undefined => {
    if (value === undefined) record()
    return value
  }
  return {
    source: {
      account: (address) => recorded(source.account(address), () => accounts.add(address)),
      storage: (address, slot) =>
        recorded(source.storage(address, slot), () => {
          const keys = slots.get(address) ?? new Set<bigint>()
          slots.set(address, keys.add(slot))
        }),
      code: (address, codeHash) => recorded(source.code(address, codeHash), () => codes.set(address, codeHash)),
      blockHash: (number) => recorded(source.blockHash(number), () => blockHashes.add(number)),
    },
    misses: () =>
      accounts.size + slots.size + codes.size + blockHashes.size === 0 ? null : { accounts, slots, codes, blockHashes },
  }
}
