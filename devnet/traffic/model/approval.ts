import type { Action } from './action.ts'
import { type ContractAddresses, callTo } from './addresses.ts'
import type { SimulatedUser, Token } from './chain-model.ts'
import { type Simulation, transact } from './transact.ts'

export const UNLIMITED = 2n ** 256n - 1n

type Approval = { readonly owner: SimulatedUser; readonly token: Token; readonly spender: keyof ContractAddresses }

/** An action that needs an approval. If the owner has not approved the spender yet, the approval is the action. */
export function withApproval(
  simulation: Simulation,
  { owner, token, spender }: Approval,
  action: () => Action,
): Action {
  const approval = `${token} ${spender}`
  if (owner.approvals.has(approval)) return action()
  owner.approvals.add(approval)
  const call = callTo(simulation.model, token, 'approve', [simulation.model.contracts[spender], UNLIMITED])
  return transact(simulation, owner, { label: 'approve', ...call, gas: 60_000 })
}
