// The rules of each block: by the chain's genesis file where there is one, by the marks of the blocks that come, and by what the node
// answers where a fork leaves no marks. Marks can only say that a fork has begun, so a genesis file that ends too early does no harm.
// Each block has its own rules, since feed and node bring blocks in any order: an older one says nothing about a newer one.

import { type Hex, hexToWord } from '../chain/bytes/hex.ts'
import type { Header } from '../chain/codec/header.ts'
import { detectFork, type ForkMarks, unknownMark } from '../chain/rules/fork-detection.ts'
import {
  type Fork,
  type ForkSchedule,
  OP_FORKS,
  type Rules,
  rulesBySchedule,
  rulesOfFork,
} from '../chain/rules/forks.ts'

import type { AskNode } from './node-state.ts'
import type { RulesOf } from './pending-block.ts'

export type ForkRules = {
  readonly rulesOf: RulesOf
  /** Looks at a block before it is used. */
  learn(block: MarkedBlock): void
  /** Asks the node about a canonical block whose marks leave its fork open; call it after `learn` and before the block is used. */
  confirm(block: ConfirmedBlock, signal: AbortSignal): Promise<void>
  /** The same about the newest canonical block, because our execution differed from the chain's. */
  reconsider(signal: AbortSignal): Promise<void>
  /** Why the block may follow rules that this version does not know, in words; null where nothing says so. */
  unknownAt(header: Pick<Header, 'number' | 'timestamp'>): string | null
}

export type MarkedBlock = ForkMarks & { readonly header: Pick<Header, 'number' | 'timestamp'> }
export type ConfirmedBlock = { readonly hash: Hex; readonly header: Pick<Header, 'number' | 'timestamp'> }

export type ForkRulesParts = {
  /** Null: derived from the blocks. */
  readonly schedule: ForkSchedule | null
  readonly ask: AskNode
}

export function createForkRules({ schedule, ask }: ForkRulesParts): ForkRules {
  const plannedAt = schedule === null ? undefined : rulesBySchedule(schedule)
  let learnt: readonly Learnt[] = []
  /** The earliest time at which Karst is known to be active. */
  let karstSinceS = Number.POSITIVE_INFINITY
  let newest: ConfirmedBlock | null = null
  let asked: { readonly hash: Hex; readonly atS: number } | null = null

  const learntAt = (number: number) => learnt.findLast(({ height }) => height <= number)

  const rulesOf: RulesOf = (header) => {
    const marked = learntAt(header.number)?.fork
    const planned = plannedAt?.(header)
    // Chains with flashblocks are of the OP Stack; until a block has come nothing is executed.
    const rules = planned && !provesMore(marked, planned) ? planned : rulesOfFork(marked ?? 'isthmus')
    return isOpenAfter(rules) && header.timestamp >= karstSinceS ? rulesOfFork('karst') : rules
  }

  const askAbout = async ({ hash, header }: ConfirmedBlock, signal: AbortSignal): Promise<void> => {
    const answer = await executesOsaka(ask, hash, signal)
    const nextS = answer === undefined ? SECONDS_AFTER_SILENCE : SECONDS_BETWEEN_QUESTIONS
    asked = { hash, atS: header.timestamp + nextS }
    if (answer === true) karstSinceS = Math.min(karstSinceS, header.timestamp)
  }

  return {
    rulesOf,
    learn(block) {
      const { number: height, timestamp } = block.header
      const fork = detectFork(block)
      if (fork === 'karst') karstSinceS = Math.min(karstSinceS, timestamp)
      const others = learnt.filter((each) => each.height !== height)
      learnt = [...others, { height, fork, unknown: unknownMark(block) }]
        .toSorted((one, other) => one.height - other.height)
        .slice(-MAX_BLOCKS)
    },
    async confirm(block, signal) {
      newest = block
      const isDue = asked === null || block.header.timestamp >= asked.atS
      if (isDue && isOpenAfter(rulesOf(block.header))) await askAbout(block, signal)
    },
    async reconsider(signal) {
      if (newest === null || newest.hash === asked?.hash) return
      if (isOpenAfter(rulesOf(newest.header))) await askAbout(newest, signal)
    },
    unknownAt(header) {
      const planned = schedule?.unknown?.findLast(({ timestamp }) => header.timestamp >= timestamp)
      if (planned !== undefined) return `the fork ${planned.name} is active`
      return learntAt(header.number)?.unknown ?? null
    },
  }
}

type Learnt = { readonly height: number; readonly fork: Fork; readonly unknown: string | null }

/** More than are ever pending at once. */
const MAX_BLOCKS = 128
/** A fork that left no mark is noticed after this time at the latest. */
const SECONDS_BETWEEN_QUESTIONS = 60
const SECONDS_AFTER_SILENCE = 5

/** Karst begins after Jovian without a mark that stays. */
function isOpenAfter({ opFork }: Rules): boolean {
  return opFork === 'jovian'
}

/** Whether a mark shows a later fork of the OP Stack than planned. Forks before Holocene are guessed, not shown. */
function provesMore(marked: Fork | undefined, planned: Rules): boolean {
  const shown = ordinalOf(marked)
  return shown >= ordinalOf('holocene') && shown > ordinalOf(planned.opFork ?? 'bedrock')
}

/** -1 for what is no fork of the OP Stack. */
function ordinalOf(fork: Fork | undefined): number {
  return (OP_FORKS as readonly (Fork | undefined)[]).indexOf(fork)
}

/** Undefined where the node does not answer. */
export async function executesOsaka(ask: AskNode, blockHash: Hex, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const params = [{ input: PROBE, data: PROBE }, { blockHash }]
    const [answer] = await ask([{ method: 'eth_call', params }], signal)
    if (answer?.type !== 'result' || typeof answer.result !== 'string') return undefined
    return hexToWord(answer.result) === 1n
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/**
 * PUSH4 <PUSH1 1, CLZ, STOP>, PUSH1 0, MSTORE, then CREATE with these four bytes; returns 1 if the creation succeeded and 0 if not. The
 * call itself always succeeds, so an error is never the answer.
 */
const PROBE: Hex = '0x6360011e006000526004601c6000f0151560005260206000f3'
