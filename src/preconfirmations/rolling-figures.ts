// Figures over the last hours, minute by minute, in memory. A block that another one replaces is taken out again.

import {
  figuresWithout,
  NO_FIGURES,
  type PreconfirmationFigures,
  sumOfFigures,
} from '../chain/preconfirmations/figures.ts'
import type { BlockRecord } from '../chain/preconfirmations/record.ts'

export type RollingFigures = {
  take(block: BlockRecord): void
  /** Of the blocks of so many milliseconds before now. */
  over(spanMs: number, nowMs: number): PreconfirmationFigures
}

const MINUTE_MS = 60_000
const MOST_MINUTES = 24 * 60
/** Blocks that a reorg can still replace. */
const MOST_BLOCKS = 256

export function createRollingFigures(): RollingFigures {
  const minutes = new Map<number, PreconfirmationFigures>()
  const blocks = new Map<number, BlockRecord>()

  const minuteOf = ({ includedMs }: BlockRecord): number => Math.floor(includedMs / MINUTE_MS)

  return {
    take(block) {
      const before = blocks.get(block.height)
      const counted = before && minutes.get(minuteOf(before))
      if (counted) minutes.set(minuteOf(before), figuresWithout(counted, before.figures))
      const minute = minuteOf(block)
      minutes.set(minute, sumOfFigures([minutes.get(minute) ?? NO_FIGURES, block.figures]))
      if (minutes.size > MOST_MINUTES) minutes.delete(Math.min(...minutes.keys()))
      blocks.set(block.height, block)
      if (blocks.size > MOST_BLOCKS) blocks.delete(blocks.keys().next().value!)
    },
    over(spanMs, nowMs) {
      const first = Math.floor((nowMs - spanMs) / MINUTE_MS) + 1
      return sumOfFigures([...minutes].filter(([minute]) => minute >= first).map(([, figures]) => figures))
    },
  }
}
