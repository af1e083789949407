// State that a pending block's own knowledge lacks, from the node at the block that it stands on.
import { serverError } from '../../evm/call/call-failures.ts'
import type { Misses } from '../../evm/state/state-source.ts'
import type { PendingState } from '../../pending/executor.ts'
import { StateUnavailable } from '../../pending/node-state.ts'
import type { Scope } from './scope.ts'

export async function fetchMisses(
  { signal, dependencies }: Scope,
  state: Pick<PendingState, 'fetch'>,
  misses: Partial<Misses>,
): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(dependencies.limits.callTimeoutMs)])
  try {
    await state.fetch(misses, within)
  } catch (error) {
    if (error instanceof StateUnavailable || within.aborted) throw serverError('the node does not tell the state')
    throw error
  }
}
