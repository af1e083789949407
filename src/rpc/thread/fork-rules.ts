// The rules of the chain: by its genesis file where there is one, else by the marks of the blocks that come.
import { type BlockMarks, forkFrom } from '../../chain/fork-detection.ts'
import { type ForkSchedule, type Rules, rulesAt, rulesOfFork } from '../../chain/forks.ts'
import type { RulesOf } from '../../flashblocks/pending-block.ts'

export type ForkRules = {
  readonly rulesOf: RulesOf
  /** Looks at a block before it is used. */
  learn(block: BlockMarks): void
}

export function createForkRules(schedule: ForkSchedule | null): ForkRules {
  if (schedule !== null) return { rulesOf: (header) => rulesAt(schedule, header), learn: () => {} }
  // Chains with flashblocks are of the OP Stack; until a block has come nothing is executed.
  let rules: Rules = rulesOfFork('isthmus')
  return {
    rulesOf: () => rules,
    learn(block) {
      rules = rulesOfFork(forkFrom(block))
    },
  }
}
