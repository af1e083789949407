// The short form of `npm run soak:verification`, on both engines.
import { expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { runWithKills } from '../support/verification/kill-run.ts'

test.each(databases)(
  'every acknowledged verification job ends although processes are killed meanwhile, on $engine',
  async ({ place }) => {
    const { url } = await place()
    const report = await runWithKills({ kills: 3, databaseUrl: url, print: () => {} })
    expect(report).toMatchObject({ unfinished: [], wrong: [], unlucky: [] })
    expect(report).toMatchObject({ acknowledged: 9, succeeded: 3, failed: 6 })
  },
  400_000,
)
