// Whether a replica may be read from, after each look at it and at its primary.
import type { ReplicaState } from '../store/engine/replica.ts'

export type ReplicaHealth = {
  /** Why it is not used; null while it is. */
  readonly problem: string | null
  /** How long ago the primary had what the replica has; null while that is not known. */
  readonly lagMs: number | null
  readonly lagBlocks: number | null
  readonly wasRecovering: boolean
  /** When the primary was first seen with each of its last versions, the oldest first. */
  readonly seen: readonly { readonly version: number; readonly atMs: number }[]
}

export const unknownReplica: ReplicaHealth = {
  problem: 'it has not answered yet',
  lagMs: null,
  lagBlocks: null,
  wasRecovering: false,
  seen: [],
}

/** At one look every two seconds this is longer than any lag that is allowed. */
const MAX_SEEN = 1_000

/** `primary` is undefined where it does not answer; then nobody knows a lag, and the replica goes on. It was asked after the replica. */
export function replicaAfterLook(
  health: ReplicaHealth,
  look: { readonly replica: ReplicaState; readonly primary: ReplicaState | undefined; readonly nowMs: number },
  maxLagMs: number,
): ReplicaHealth {
  const { replica, primary, nowMs } = look
  const wasRecovering = health.wasRecovering || replica.isRecovering
  if (wasRecovering && !replica.isRecovering) {
    const problem = 'it was promoted: it is a primary of its own now and no longer follows DATABASE_URL'
    return { ...health, problem, wasRecovering, lagMs: null, lagBlocks: null }
  }
  if (primary === undefined) return { ...health, problem: null, wasRecovering, lagMs: null, lagBlocks: null }
  const isNew = health.seen.at(-1)?.version !== primary.version
  const seen = isNew ? [...health.seen, { version: primary.version, atMs: nowMs }].slice(-MAX_SEEN) : health.seen
  const missed = seen.find(({ version }) => version > replica.version)
  const lagMs = missed === undefined ? 0 : nowMs - missed.atMs
  const lagBlocks = Math.max(0, (primary.head ?? 0) - (replica.head ?? 0))
  const isAhead = replica.version > primary.version
  return { seen, wasRecovering, lagMs, lagBlocks, problem: problemOf({ isAhead, lagMs, lagBlocks, maxLagMs }) }
}

export function replicaAfterFailure(health: ReplicaHealth, message: string): ReplicaHealth {
  return { ...health, problem: `it does not answer: ${message}`, lagMs: null, lagBlocks: null }
}

function problemOf(state: { isAhead: boolean; lagMs: number; lagBlocks: number; maxLagMs: number }): string | null {
  if (state.isAhead) return 'it has what DATABASE_URL does not have: it is not its replica'
  if (state.lagMs <= state.maxLagMs) return null
  return `it is ${Math.round(state.lagMs / 1000)} s and ${state.lagBlocks} blocks behind`
}
