// People send each other Ether and tokens, wrap and unwrap, and give out airdrops.

import { parseEther, parseUnits } from 'viem/utils'
import type { Action } from '../action.ts'
import { callTo } from '../addresses.ts'
import { withApproval } from '../approval.ts'
import { modestPart, type Resident, type Token } from '../chain-model.ts'
import { type Scene, transact } from '../transact.ts'

/** To a neighbour, or to somebody the chain has not seen yet. */
export function sendEther(scene: Scene): Action {
  const { dice, world } = scene
  const [sender, neighbour] = dice.pickMany(world.people, 2) as [Resident, Resident]
  const value = modestPart(sender.balanceWei, parseEther(`${dice.amount(0.001, 5)}`))
  if (dice.chance(0.15)) {
    return transact(scene, sender, { label: 'send Ether to a stranger', to: dice.bytes(20), value, gas: TRANSFER_GAS })
  }
  const toDelegator = dice.chance(0.1)
  const receiver = toDelegator ? dice.pick(world.delegators) : neighbour
  receiver.balanceWei += value
  const gas = toDelegator ? TRANSFER_TO_CODE_GAS : TRANSFER_GAS
  return transact(scene, sender, { label: 'send Ether', to: receiver.account.address, value, gas })
}

/** Large enough for the explorer's list of large transactions, by somebody who can. */
export function sendFortune(scene: Scene): Action {
  const { dice, world } = scene
  const value = parseEther(`${dice.amount(101, 900)}`)
  const rich = world.people.filter((person) => person.balanceWei > 3n * value)
  const sender = rich.length > 0 ? dice.pick(rich) : world.founder
  const receiver = dice.pick(world.people.filter((person) => person !== sender))
  receiver.balanceWei += value
  const to = receiver.account.address
  return transact(scene, sender, { label: 'send a fortune', to, value, gas: TRANSFER_GAS })
}

export function sendDollars(scene: Scene): Action {
  return sendToken(scene, 'AuroraDollar', parseUnits(`${scene.dice.amount(1, 4_000)}`, 6))
}

export function sendDawn(scene: Scene): Action {
  return sendToken(scene, 'DawnToken', parseEther(`${scene.dice.amount(0.5, 9_000)}`))
}

export function approveSomebody(scene: Scene): Action {
  const { dice, world } = scene
  const [owner, spender] = dice.pickMany(world.people, 2) as [Resident, Resident]
  const allowed = [spender.account.address, parseUnits(`${dice.amount(1, 500)}`, 6)]
  const call = callTo(world, 'AuroraDollar', 'approve', allowed)
  return transact(scene, owner, { label: 'approve', ...call, gas: 60_000 })
}

export function wrapEther(scene: Scene): Action {
  const { dice, world } = scene
  const person = dice.pick(world.people)
  const wrapped = person.tokens.WrappedEther
  if (wrapped > 0n && dice.chance(0.4)) {
    const amount = wrapped / BigInt(2 + dice.below(8))
    person.tokens.WrappedEther -= amount
    person.balanceWei += amount
    const call = callTo(world, 'WrappedEther', 'withdraw', [amount])
    return transact(scene, person, { label: 'unwrap', ...call, gas: 80_000 })
  }
  const value = modestPart(person.balanceWei, parseEther(`${dice.amount(0.05, 20)}`))
  person.tokens.WrappedEther += value
  return transact(scene, person, { label: 'wrap', ...callTo(world, 'WrappedEther', 'deposit'), value, gas: 70_000 })
}

/** Pays many people at once: one internal transaction each. */
export function dropEther(scene: Scene): Action {
  const { dice, world } = scene
  const neighbours = dice.pickMany(world.people, 3 + dice.below(20)).map((person) => person.account.address)
  const strangers = Array.from({ length: 1 + dice.below(4) }, () => dice.bytes(20))
  const recipients = [...neighbours, ...strangers]
  const amount = parseEther(`${dice.amount(0.001, 0.05)}`)
  const value = amount * BigInt(recipients.length)
  const call = callTo(world, 'Airdrop', 'dropEther', [recipients, recipients.map(() => amount)])
  const gas = 80_000 + 50_000 * recipients.length
  return transact(scene, dice.pick(world.people), { label: 'airdrop', ...call, value, gas })
}

export function dropTokens(scene: Scene): Action {
  const { dice, world } = scene
  const giver = dice.pick(world.people)
  return withApproval(scene, { owner: giver, token: 'DawnToken', spender: 'Airdrop' }, () => {
    const recipients = dice.pickMany(world.people, 3 + dice.below(12)).map((person) => person.account.address)
    const amount = giver.tokens.DawnToken / 5_000n
    giver.tokens.DawnToken -= amount * BigInt(recipients.length)
    const drops = [world.places.DawnToken, recipients, recipients.map(() => amount)]
    const gas = 80_000 + 45_000 * recipients.length
    return transact(scene, giver, { label: 'airdrop tokens', ...callTo(world, 'Airdrop', 'dropToken', drops), gas })
  })
}

/** New dollars for whoever has the least. */
export function issueDollars(scene: Scene): Action {
  const { dice, world } = scene
  const poorest = world.people.reduce((a, b) => (a.tokens.AuroraDollar < b.tokens.AuroraDollar ? a : b))
  const amount = parseUnits(`${dice.amount(1_000, 50_000)}`, 6)
  poorest.tokens.AuroraDollar += amount
  const call = callTo(world, 'AuroraDollar', 'mint', [poorest.account.address, amount])
  return transact(scene, world.founder, { label: 'mint dollars', ...call, gas: 90_000 })
}

const TRANSFER_GAS = 21_000
/** An account that delegates runs code on receipt. */
const TRANSFER_TO_CODE_GAS = 40_000

function sendToken(scene: Scene, token: Token, wish: bigint): Action {
  const [sender, receiver] = scene.dice.pickMany(scene.world.people, 2) as [Resident, Resident]
  const amount = modestPart(sender.tokens[token], wish)
  sender.tokens[token] -= amount
  receiver.tokens[token] += amount
  const call = callTo(scene.world, token, 'transfer', [receiver.account.address, amount])
  return transact(scene, sender, { label: `send ${token}`, ...call, gas: 70_000 })
}
