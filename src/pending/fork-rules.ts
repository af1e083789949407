// The rules of the chain: by its genesis file where there is one, else by the marks of the blocks that come. Each block has its own, since
// feed and node tell of blocks in any order: what is heard of an older one says nothing about a newer one.

import type { Header } from '../chain/codec/header.ts'
import { detectFork, type ForkMarks } from '../chain/rules/fork-detection.ts'
import { type ForkSchedule, type Rules, rulesAt, rulesOfFork } from '../chain/rules/forks.ts'
import type { RulesOf } from './pending-block.ts'

export type ForkRules = {
  readonly rulesOf: RulesOf
  /** Looks at a block before it is used. */
  learn(block: MarkedBlock): void
}

export type MarkedBlock = ForkMarks & { readonly header: Pick<Header, 'number'> }

export function createForkRules(schedule: ForkSchedule | null): ForkRules {
  if (schedule !== null) return { rulesOf: (header) => rulesAt(schedule, header), learn: () => {} }
  let learnt: readonly { readonly height: number; readonly rules: Rules }[] = []
  return {
    // Chains with flashblocks are of the OP Stack; until a block has come nothing is executed.
    rulesOf: ({ number }) => learnt.findLast(({ height }) => height <= number)?.rules ?? rulesOfFork('isthmus'),
    learn(block) {
      const { number: height } = block.header
      const others = learnt.filter((each) => each.height !== height)
      learnt = [...others, { height, rules: rulesOfFork(detectFork(block)) }]
        .toSorted((one, other) => one.height - other.height)
        .slice(-BLOCKS_REMEMBERED)
    },
  }
}

/** More than are ever pending at once. */
const BLOCKS_REMEMBERED = 128
