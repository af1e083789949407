// Our engine against anvil as an OP chain, on random transactions. `node scripts/evm-differential.ts` runs thousands.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareWithAnvil } from '../support/differential/against-anvil.ts'
import { type Anvil, startAnvil } from '../support/differential/anvil.ts'
import { CHAIN_ID } from '../support/differential/random-chain.ts'
import { freePort } from '../support/free-port.ts'

const TRANSACTIONS = 400
const SEED = 20_261_115

let anvil: Anvil

beforeAll(async () => {
  anvil = await startAnvil(Number(await freePort()), CHAIN_ID)
})

afterAll(() => anvil?.stop())

test('random OP transactions give the receipts, traces and state that anvil gives', async () => {
  const { transactions, succeeded, deposits, logs, differences } = await compareWithAnvil(anvil, SEED, TRANSACTIONS)
  expect(differences).toEqual([])
  expect(transactions).toBeGreaterThanOrEqual(TRANSACTIONS)
  expect(Math.min(succeeded, transactions - succeeded)).toBeGreaterThan(TRANSACTIONS / 10)
  expect(Math.min(deposits, logs)).toBeGreaterThan(0)
})
