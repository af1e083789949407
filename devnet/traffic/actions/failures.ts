// Transactions that fail on purpose: too little money, too late, not allowed, a bug, out of gas.

import { parseEther } from 'viem/utils'
import { callOf } from '../../contracts/calldata.ts'
import { callTo } from '../model/addresses.ts'
import type { ChainModel, SimulatedUser } from '../model/chain-model.ts'
import type { Action } from '../model/transact.ts'
import { NEVER, type Simulation, type TransactionRequest, transact } from '../model/transact.ts'

export function haveMishap(simulation: Simulation): Action {
  const { random, model } = simulation
  const person = random.pick(model.users)
  const [label, mishap] = random.pick(failures)
  return transact(simulation, person, {
    gas: 150_000,
    ...mishap(model, person),
    label: `mishap: ${label}`,
    outcome: 'revert',
  })
}

/** Succeeds, although a call inside of it fails. */
export function recoverFromMishap(simulation: Simulation): Action {
  const person = simulation.random.pick(simulation.model.users)
  return transact(simulation, person, {
    label: 'recover',
    ...callTo(simulation.model, 'Mishaps', 'recover'),
    gas: 90_000,
  })
}

type Mishap = (
  model: ChainModel,
  person: SimulatedUser,
) => Pick<TransactionRequest, 'to' | 'data' | 'value'> & { readonly gas?: number }

const failures: readonly (readonly [label: string, mishap: Mishap])[] = [
  ['message', (model) => callTo(model, 'Mishaps', 'withMessage')],
  ['custom error', (model) => callTo(model, 'Mishaps', 'withCustomError', [5n])],
  ['panic', (model) => callTo(model, 'Mishaps', 'withPanic')],
  ['division by zero', (model) => callTo(model, 'Mishaps', 'withDivision', [3n])],
  ['no reason', (model) => callTo(model, 'Mishaps', 'withoutReason')],
  ['out of gas', (model) => ({ ...callTo(model, 'Mishaps', 'outOfGas'), gas: 80_000 })],
  ['too many dollars', (model, { account }) => callTo(model, 'AuroraDollar', 'transfer', [account.address, TOO_MUCH])],
  ['not the issuer', (model, { account }) => callTo(model, 'AuroraDollar', 'mint', [account.address, 1_000_000n])],
  ['too greedy a swap', (model, person) => purchase(model, person, { least: TOO_MUCH, deadline: NEVER })],
  ['too late a swap', (model, person) => purchase(model, person, { least: 0n, deadline: LONG_AGO })],
  ['star of another', (model) => ({ ...callTo(model, 'StarAtlas', 'claim', [0n]), value: parseEther('0.01') })],
  ['wrong price', (model) => ({ ...callTo(model, 'StarAtlas', 'claim', [TOO_MUCH]), value: parseEther('0.005') })],
  [
    'not the keeper',
    ({ contracts }) => ({
      to: contracts.Proxy,
      data: callOf('Guestbook', 'upgradeToAndCall', [contracts.Guestbook, '0x']),
    }),
  ],
  ['savings too small', (model) => callTo(model, 'SavingsVault', 'take', [TOO_MUCH])],
]

const TOO_MUCH = 2n ** 100n
const LONG_AGO = 1_000_000_000n

function purchase(
  model: ChainModel,
  { account }: SimulatedUser,
  { least, deadline }: { least: bigint; deadline: bigint },
) {
  const path = [model.contracts.WrappedEther, model.contracts.AuroraDollar]
  const call = callTo(model, 'Router', 'swapEtherForTokens', [least, path, account.address, deadline])
  return { ...call, value: parseEther('0.1') }
}
