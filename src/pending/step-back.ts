// Steps back where the chain follows rules that this version does not know: our execution of sealed blocks differs from theirs, a sealed
// block has a transaction of an unknown type, or a block carries the marks of an unknown fork. Then nothing is executed for a while and the node answers instead, because state that is probably
// wrong is worse than none. What the feed alone claims never counts: only a canonical block is evidence against us.
import type { Hex } from '../chain/bytes/hex.ts'
import type { Header } from '../chain/codec/header.ts'
import type { Executor, SealedRun } from './executor.ts'

export type Unreproduced = {
  readonly height: number
  readonly hash: Hex
  readonly reason: string
  readonly atMs: number
}

export type Reproduction = {
  readonly isSteppedBack: boolean
  /** The first block that could not be reproduced since the last time that all was well; null while all is well. */
  readonly first: Unreproduced | null
  /** Since the start of the process. */
  readonly blocks: number
}

export type StepBack = {
  readonly reproduction: () => Reproduction
  /** The executor reports every canonical block here. */
  readonly sealedRun: (run: SealedRun) => void
  /** A canonical block that nothing of ours can execute. One is enough: it is the chain's doing and no accident. */
  readonly cannotRun: (block: Omit<Unreproduced, 'atMs'>) => void
  /** The same executor, which does nothing while it is stepped back. */
  cautious(executor: Executor): Executor
}

export type StepBackParts = {
  /** Why the block may follow unknown rules; null where nothing says so. */
  readonly unknownAt: (header: Pick<Header, 'number' | 'timestamp'>) => string | null
  /** Measures how long it stays stepped back. */
  readonly nowMs?: () => number
  /** Called when it steps back. */
  readonly onStepBack: (first: Unreproduced) => void
}

/** One block can differ because a node behind a balancer answered for another one; so many in this time cannot. */
export const BLOCKS_UNTIL_STEP_BACK = 3
export const STEP_BACK_MS = 300_000

export function createStepBack({ unknownAt, nowMs = () => performance.now(), onStepBack }: StepBackParts): StepBack {
  let first: Unreproduced | null = null
  let blocks = 0
  /** When blocks could not be reproduced, the last few. */
  let timesMs: readonly number[] = []
  let untilMs = 0
  /** A block with unknown marks that is pending now. */
  let isUnknown = false

  const note = (unreproduced: Unreproduced): void => {
    blocks++
    first ??= unreproduced
  }

  const stepBackAt = (atMs: number): void => {
    const isNew = !isSteppedBack()
    timesMs = []
    untilMs = atMs + STEP_BACK_MS
    if (isNew) onStepBack(first!)
  }

  const isSteppedBack = (): boolean => isUnknown || nowMs() < untilMs

  const sealedRun = ({ height, hash, problem }: SealedRun): void => {
    const atMs = nowMs()
    timesMs = timesMs.filter((timeMs) => atMs - timeMs < STEP_BACK_MS)
    if (problem === null) {
      if (timesMs.length === 0 && !isSteppedBack()) first = null
      return
    }
    note({ height, hash, reason: problem, atMs: Date.now() })
    timesMs = [...timesMs, atMs].slice(-BLOCKS_UNTIL_STEP_BACK)
    if (timesMs.length < BLOCKS_UNTIL_STEP_BACK) return
    stepBackAt(atMs)
  }

  const cannotRun = (block: Omit<Unreproduced, 'atMs'>): void => {
    note({ ...block, atMs: Date.now() })
    stepBackAt(nowMs())
  }

  /** The first time that a block with unknown marks is seen, it counts as one that cannot be reproduced. */
  const seeUnknown = (header: Header, hash: Hex, reason: string): void => {
    if (isUnknown) return
    isUnknown = true
    note({ height: header.number, hash, reason, atMs: Date.now() })
    onStepBack(first!)
  }

  return {
    reproduction: () => ({ isSteppedBack: isSteppedBack(), first, blocks }),
    sealedRun,
    cannotRun,
    cautious: (executor) => ({
      async follow(chain, signal) {
        const unknown = chain.blocks.find(({ header }) => unknownAt(header) !== null)
        if (unknown !== undefined) seeUnknown(unknown.header, unknown.hash, unknownAt(unknown.header)!)
        else if (chain.blocks.length > 0) isUnknown = false
        if (!isUnknown && nowMs() >= untilMs) return executor.follow(chain, signal)
        return { type: 'unavailable', reason: reasonOf(first!) }
      },
    }),
  }
}

function reasonOf({ height, reason }: Unreproduced): string {
  return `the chain follows rules that this version does not know (block ${height}: ${reason}), so the node answers`
}
