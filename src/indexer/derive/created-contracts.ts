// The contracts that a block's transactions and their calls created. One that destroyed itself in its constructor was a contract, although
// it never had code; an account that was created without code is none. What a transaction without a trace created is not listed: only the
// node knows whether it has code.
import type { Hex } from '../../chain/bytes/hex.ts'
import { type CallFrame, isCreation } from '../../chain/trace/call-frame.ts'
import { heightOf } from '../../store/schema/position.ts'
import type { ContractRow, TransactionRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'

/** Each address once, although a contract may be destroyed and created again in one block. */
export function createdContracts({ traces }: NodeBlock, transactions: readonly TransactionRow[]): ContractRow[] {
  const created = new Map<Hex, ContractRow>()
  for (const [index, { contractAddress, pos, sender }] of transactions.entries()) {
    const add = (address: Hex, creator: Hex) => {
      if (!created.has(address)) created.set(address, { address, height: heightOf(pos), txPos: pos, creator })
    }
    const frame = traces?.[index] ?? null
    if (frame === null) continue
    if (contractAddress !== null && !(isCreation(frame) && !isContract(frame))) add(contractAddress, sender)
    addCreations(frame, add)
  }
  return [...created.values()]
}

function addCreations(caller: CallFrame, add: (address: Hex, creator: Hex) => void): void {
  if (caller.error !== null) return
  for (const frame of caller.calls) {
    if (isCreation(frame) && frame.error === null && isContract(frame))
      add(addressText(frame.to!), addressText(frame.from))
    addCreations(frame, add)
  }
}

function isContract(creation: CallFrame): boolean {
  return creation.output.length > 0 || destroys(creation, creation.to)
}

/** Whether a call frame, or one below it, destroys this address; the constructor may have borrowed the code for it. */
function destroys({ calls }: CallFrame, address: bigint | null): boolean {
  return calls.some(
    (frame) =>
      frame.error === null && (frame.type === 'selfdestruct' ? frame.from === address : destroys(frame, address)),
  )
}
