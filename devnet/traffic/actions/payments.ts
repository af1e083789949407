// Users send Ether and tokens, wrap and unwrap Ether, and send airdrops.

import { parseEther, parseUnits } from 'viem/utils'
import { callTo } from '../model/addresses.ts'
import { type SimulatedUser, smallShare, type Token } from '../model/chain-model.ts'
import type { Action } from '../model/transact.ts'
import { type Simulation, transact, withApproval } from '../model/transact.ts'

/** To another user, or to a new address. */
export function sendEther(simulation: Simulation): Action {
  const { random, model } = simulation
  const [sender, neighbour] = random.pickMany(model.users, 2) as [SimulatedUser, SimulatedUser]
  const value = smallShare(sender.balanceWei, parseEther(`${random.amount(0.001, 5)}`))
  if (random.chance(0.15)) {
    return transact(simulation, sender, {
      label: 'send Ether to a stranger',
      to: random.bytes(20),
      value,
      gas: TRANSFER_GAS,
    })
  }
  const toDelegator = random.chance(0.1)
  const receiver = toDelegator ? random.pick(model.delegators) : neighbour
  receiver.balanceWei += value
  const gas = toDelegator ? TRANSFER_TO_CODE_GAS : TRANSFER_GAS
  return transact(simulation, sender, { label: 'send Ether', to: receiver.account.address, value, gas })
}

/** Large enough for the explorer's list of large transactions, from a user who can afford it. */
export function sendFortune(simulation: Simulation): Action {
  const { random, model } = simulation
  const value = parseEther(`${random.amount(101, 900)}`)
  const rich = model.users.filter((person) => person.balanceWei > 3n * value)
  const sender = rich.length > 0 ? random.pick(rich) : model.deployer
  const receiver = random.pick(model.users.filter((person) => person !== sender))
  receiver.balanceWei += value
  const to = receiver.account.address
  return transact(simulation, sender, { label: 'send a fortune', to, value, gas: TRANSFER_GAS })
}

export function sendDollars(simulation: Simulation): Action {
  return sendToken(simulation, 'AuroraDollar', parseUnits(`${simulation.random.amount(1, 4_000)}`, 6))
}

export function sendDawn(simulation: Simulation): Action {
  return sendToken(simulation, 'DawnToken', parseEther(`${simulation.random.amount(0.5, 9_000)}`))
}

export function approveSomebody(simulation: Simulation): Action {
  const { random, model } = simulation
  const [owner, spender] = random.pickMany(model.users, 2) as [SimulatedUser, SimulatedUser]
  const allowed = [spender.account.address, parseUnits(`${random.amount(1, 500)}`, 6)]
  const call = callTo(model, 'AuroraDollar', 'approve', allowed)
  return transact(simulation, owner, { label: 'approve', ...call, gas: 60_000 })
}

export function wrapEther(simulation: Simulation): Action {
  const { random, model } = simulation
  const person = random.pick(model.users)
  const wrapped = person.tokens.WrappedEther
  if (wrapped > 0n && random.chance(0.4)) {
    const amount = wrapped / BigInt(2 + random.below(8))
    person.tokens.WrappedEther -= amount
    person.balanceWei += amount
    const call = callTo(model, 'WrappedEther', 'withdraw', [amount])
    return transact(simulation, person, { label: 'unwrap', ...call, gas: 80_000 })
  }
  const value = smallShare(person.balanceWei, parseEther(`${random.amount(0.05, 20)}`))
  person.tokens.WrappedEther += value
  return transact(simulation, person, {
    label: 'wrap',
    ...callTo(model, 'WrappedEther', 'deposit'),
    value,
    gas: 70_000,
  })
}

/** Pays many users at once: one internal transaction each. */
export function dropEther(simulation: Simulation): Action {
  const { random, model } = simulation
  const neighbours = random.pickMany(model.users, 3 + random.below(20)).map((person) => person.account.address)
  const strangers = Array.from({ length: 1 + random.below(4) }, () => random.bytes(20))
  const recipients = [...neighbours, ...strangers]
  const amount = parseEther(`${random.amount(0.001, 0.05)}`)
  const value = amount * BigInt(recipients.length)
  const call = callTo(model, 'Airdrop', 'dropEther', [recipients, recipients.map(() => amount)])
  const gas = 80_000 + 50_000 * recipients.length
  return transact(simulation, random.pick(model.users), { label: 'airdrop', ...call, value, gas })
}

export function dropTokens(simulation: Simulation): Action {
  const { random, model } = simulation
  const giver = random.pick(model.users)
  return withApproval(simulation, { owner: giver, token: 'DawnToken', spender: 'Airdrop' }, () => {
    const recipients = random.pickMany(model.users, 3 + random.below(12)).map((person) => person.account.address)
    const amount = giver.tokens.DawnToken / 5_000n
    giver.tokens.DawnToken -= amount * BigInt(recipients.length)
    const drops = [model.contracts.DawnToken, recipients, recipients.map(() => amount)]
    const gas = 80_000 + 45_000 * recipients.length
    return transact(simulation, giver, {
      label: 'airdrop tokens',
      ...callTo(model, 'Airdrop', 'dropToken', drops),
      gas,
    })
  })
}

/** Mints dollars for the user with the least. */
export function issueDollars(simulation: Simulation): Action {
  const { random, model } = simulation
  const poorest = model.users.reduce((a, b) => (a.tokens.AuroraDollar < b.tokens.AuroraDollar ? a : b))
  const amount = parseUnits(`${random.amount(1_000, 50_000)}`, 6)
  poorest.tokens.AuroraDollar += amount
  const call = callTo(model, 'AuroraDollar', 'mint', [poorest.account.address, amount])
  return transact(simulation, model.deployer, { label: 'mint dollars', ...call, gas: 90_000 })
}

const TRANSFER_GAS = 21_000
/** An account that delegates runs code on receipt. */
const TRANSFER_TO_CODE_GAS = 40_000

function sendToken(simulation: Simulation, token: Token, request: bigint): Action {
  const [sender, receiver] = simulation.random.pickMany(simulation.model.users, 2) as [SimulatedUser, SimulatedUser]
  const amount = smallShare(sender.tokens[token], request)
  sender.tokens[token] -= amount
  receiver.tokens[token] += amount
  const call = callTo(simulation.model, token, 'transfer', [receiver.account.address, amount])
  return transact(simulation, sender, { label: `send ${token}`, ...call, gas: 70_000 })
}
