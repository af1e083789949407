// State roots of random blocks against other engines: EDR for an OP chain, EthereumJS for Ethereum.
import { expect, test } from 'vitest'
import { rootsOfBoth } from '../support/differential/against-edr.ts'
import { outcomesOfBoth } from '../support/differential/against-ethereumjs.ts'
import { loadEdr } from '../support/differential/edr.ts'

const BLOCKS = 6
const SEED = 20_261_115

const edr = await loadEdr()
if (edr === null) console.log('EDR has no binary for this machine: roots of OP blocks are not compared')

test.runIf(edr)('random OP blocks have the roots that EDR gives them', async () => {
  const { ours, theirs } = await rootsOfBoth(edr!, SEED, BLOCKS)
  expect(ours).toEqual(theirs)
  expect(ours).toHaveLength(BLOCKS + 1)
  expect(new Set(ours.map(({ stateRoot }) => stateRoot)).size).toBe(BLOCKS + 1)
})

test.each(['prague', 'osaka'] as const)('random %s blocks come out as EthereumJS has them', async (fork) => {
  const { ours, theirs } = await outcomesOfBoth(fork, SEED, BLOCKS)
  expect(ours).toEqual(theirs)
  expect(ours.length).toBeGreaterThan(100)
})
