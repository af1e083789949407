import type { Action } from './action.ts'
import { callTo, type Places } from './addresses.ts'
import type { Resident, Token } from './chain-model.ts'
import { type Scene, transact } from './transact.ts'

export const UNLIMITED = 2n ** 256n - 1n

type Approval = { readonly owner: Resident; readonly token: Token; readonly spender: keyof Places }

/** Does something with a token that a contract must be allowed to move; allows it first if that has not been done. */
export function withApproval(scene: Scene, { owner, token, spender }: Approval, action: () => Action): Action {
  const approval = `${token} ${spender}`
  if (owner.approvals.has(approval)) return action()
  owner.approvals.add(approval)
  const call = callTo(scene.world, token, 'approve', [scene.world.places[spender], UNLIMITED])
  return transact(scene, owner, { label: 'approve', ...call, gas: 60_000 })
}
