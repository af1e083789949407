// What one sender of verifications may have: open jobs, running jobs, and compile time in an hour. A sender is a key, or the address of a
// visitor without one; this program itself (the empty sender) has no limits.
import type { Queries } from '../../store/engine/database.ts'
import { compileTimeOf } from '../../store/jobs/verification-jobs.ts'

/** Queued and running jobs of one sender, in all processes together. */
export const MAX_OPEN_OF_SENDER = 20
/** What was spent longer ago does not count any more. */
export const SPENT_WINDOW_MS = 3_600_000
const MIN_RETRY_S = 60

/** One sender never has every compile slot of a process. */
export function maxRunningOfSender(slots: number): number {
  return Math.max(1, slots - 1)
}

export type SpentBudget = { readonly message: string; readonly retryAfterS: number }

/** Undefined while the sender has compile time left. A budget of 0 has no limit. */
export async function spentBudget(
  queries: Queries,
  { sender, budgetMs, nowMs }: { sender: string; budgetMs: number; nowMs: number },
): Promise<SpentBudget | undefined> {
  if (sender === '' || budgetMs === 0) return undefined
  const { ms, oldestMs } = await compileTimeOf(queries, sender, nowMs - SPENT_WINDOW_MS)
  if (ms < budgetMs) return undefined
  const endsMs = (oldestMs ?? nowMs) + SPENT_WINDOW_MS - nowMs
  const retryAfterS = Math.max(MIN_RETRY_S, Math.ceil(endsMs / 1000))
  const [used, allowed] = [ms, budgetMs].map((each) => Math.round(each / 1000))
  const minutes = Math.ceil(retryAfterS / 60)
  const message = `Your sources took ${used} s to compile in the last hour, of ${allowed} s that one sender may use. Please submit again in ${minutes} minutes.`
  return { message, retryAfterS }
}
