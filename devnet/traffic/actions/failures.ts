// Some things go wrong: too little money, too late, not allowed, a bug, no gas.

import { parseEther } from 'viem/utils'
import { callOf } from '../../contracts/calldata.ts'
import type { Action } from '../action.ts'
import { callTo } from '../addresses.ts'
import type { Resident, World } from '../chain-model.ts'
import { NEVER } from '../deployments.ts'
import { type Scene, transact, type Wish } from '../transact.ts'

export function haveMishap(scene: Scene): Action {
  const { dice, world } = scene
  const person = dice.pick(world.people)
  const [label, mishap] = dice.pick(mishaps)
  return transact(scene, person, {
    gas: 150_000,
    ...mishap(world, person),
    label: `mishap: ${label}`,
    outcome: 'revert',
  })
}

/** Succeeds, although a call inside of it fails. */
export function recoverFromMishap(scene: Scene): Action {
  const person = scene.dice.pick(scene.world.people)
  return transact(scene, person, { label: 'recover', ...callTo(scene.world, 'Mishaps', 'recover'), gas: 90_000 })
}

type Mishap = (world: World, person: Resident) => Pick<Wish, 'to' | 'data' | 'value'> & { readonly gas?: number }

const mishaps: readonly (readonly [label: string, mishap: Mishap])[] = [
  ['message', (world) => callTo(world, 'Mishaps', 'withMessage')],
  ['custom error', (world) => callTo(world, 'Mishaps', 'withCustomError', [5n])],
  ['panic', (world) => callTo(world, 'Mishaps', 'withPanic')],
  ['division by zero', (world) => callTo(world, 'Mishaps', 'withDivision', [3n])],
  ['no reason', (world) => callTo(world, 'Mishaps', 'withoutReason')],
  ['out of gas', (world) => ({ ...callTo(world, 'Mishaps', 'outOfGas'), gas: 80_000 })],
  ['too many dollars', (world, { account }) => callTo(world, 'AuroraDollar', 'transfer', [account.address, TOO_MUCH])],
  ['not the issuer', (world, { account }) => callTo(world, 'AuroraDollar', 'mint', [account.address, 1_000_000n])],
  ['too greedy a swap', (world, person) => purchase(world, person, { least: TOO_MUCH, deadline: NEVER })],
  ['too late a swap', (world, person) => purchase(world, person, { least: 0n, deadline: LONG_AGO })],
  ['star of another', (world) => ({ ...callTo(world, 'StarAtlas', 'claim', [0n]), value: parseEther('0.01') })],
  ['wrong price', (world) => ({ ...callTo(world, 'StarAtlas', 'claim', [TOO_MUCH]), value: parseEther('0.005') })],
  [
    'not the keeper',
    ({ places }) => ({ to: places.Proxy, data: callOf('Guestbook', 'upgradeToAndCall', [places.Guestbook, '0x']) }),
  ],
  ['savings too small', (world) => callTo(world, 'SavingsVault', 'take', [TOO_MUCH])],
]

const TOO_MUCH = 2n ** 100n
const LONG_AGO = 1_000_000_000n

function purchase(world: World, { account }: Resident, { least, deadline }: { least: bigint; deadline: bigint }) {
  const path = [world.places.WrappedEther, world.places.AuroraDollar]
  const call = callTo(world, 'Router', 'swapEtherForTokens', [least, path, account.address, deadline])
  return { ...call, value: parseEther('0.1') }
}
