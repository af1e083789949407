// A few users delegate their accounts to BatchAccount (EIP-7702) and send several calls in one transaction.

import { parseEther, parseUnits } from 'viem/utils'
import { callOf } from '../../contracts/calldata.ts'
import { type Delegator, isSettled, type SimulatedUser } from '../model/chain-model.ts'
import type { Action } from '../model/transact.ts'
import { type Simulation, type TransactionRequest, transact, UNLIMITED } from '../model/transact.ts'
import { sendEther } from './payments.ts'

/** EIP-7702: delegating to this address ends the delegation. */
const NOBODY = '0x0000000000000000000000000000000000000000'

/** A batch to the sender's own account. The first one carries the authorization; later ones need none. */
export function executeBatch(simulation: Simulation): Action {
  const person = pickDelegator(simulation)
  if (!person) return sendEther(simulation)
  const data = callOf('BatchAccount', 'execute', [batch(simulation, person)])
  const request = { label: 'batch', to: person.account.address, data, gas: 400_000 }
  if (person.delegated && simulation.random.chance(0.6)) return transact(simulation, person, request)
  return delegate(simulation, person, {
    ...request,
    label: 'delegate and batch',
    delegateTo: simulation.model.contracts.BatchAccount,
  })
}

export function endDelegation(simulation: Simulation): Action {
  const person = pickDelegator(simulation)
  if (!person) return sendEther(simulation)
  const request = { label: 'end delegation', to: person.account.address, gas: 80_000 }
  return delegate(simulation, person, { ...request, delegateTo: NOBODY })
}

function pickDelegator({ random, model }: Simulation): Delegator | undefined {
  const free = model.delegators.filter(({ authorizedAt }) => isSettled(model, authorizedAt))
  return free.length > 0 ? random.pick(free) : undefined
}

function delegate(simulation: Simulation, person: Delegator, request: TransactionRequest): Action {
  person.delegated = request.delegateTo !== NOBODY
  person.authorizedAt = simulation.model.clock
  return transact(simulation, person, request)
}

function batch({ random, model }: Simulation, person: SimulatedUser) {
  const { contracts } = model
  const friend = random.pick(model.users).account.address
  const dollars = parseUnits(`${random.amount(1, 50)}`, 6)
  person.tokens.AuroraDollar -= dollars
  return [
    { target: contracts.AuroraDollar, value: 0n, data: callOf('AuroraDollar', 'transfer', [friend, dollars]) },
    { target: contracts.DawnToken, value: 0n, data: callOf('DawnToken', 'approve', [contracts.Router, UNLIMITED]) },
    { target: contracts.Lanterns, value: 0n, data: callOf('Lanterns', 'fold', [BigInt(1 + random.below(8)), 3n]) },
    { target: random.bytes(20), value: parseEther('0.001'), data: '0x' },
  ]
}
