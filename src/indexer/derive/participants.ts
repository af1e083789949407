// All addresses that a block names as accounts. Each may be a contract, and without traces each may have a new native balance.
import type { Hex } from '../../chain/bytes/hex.ts'
import { addressesInFields } from '../../chain/rpc/unknown-fields.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from '../../chain/rules/addresses.ts'
import type { CallFrame } from '../../chain/trace/call-frame.ts'
import type { TransactionRow, TransferRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'
import { ZERO_ADDRESS } from './token-deltas.ts'

export function participantsOf(
  { header, receipts, traces, withdrawals, isOp, unknownTransactionFields }: NodeBlock,
  transactions: readonly TransactionRow[],
  transfers: readonly TransferRow[],
): Set<Hex> {
  const found = new Set<Hex>([addressText(header.miner)])
  for (const { sender, recipient, contractAddress } of transactions) {
    found.add(sender)
    if (recipient !== null) found.add(recipient)
    if (contractAddress !== null) found.add(contractAddress)
  }
  for (const { sender, recipient } of transfers) found.add(sender).add(recipient)
  for (const { receipt } of receipts) for (const { address } of receipt.logs) found.add(addressText(address))
  for (const fields of [...unknownTransactionFields, ...receipts.map(({ unknownFields }) => unknownFields)]) {
    for (const address of addressesInFields(fields)) found.add(address)
  }
  for (const { address } of withdrawals) found.add(addressText(address))
  for (const frame of traces ?? []) if (frame !== null) addCallees(found, frame)
  if (isOp) for (const vault of VAULTS) found.add(vault)
  found.delete(ZERO_ADDRESS)
  return found
}

const VAULTS = [BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT].map(addressText)

function addCallees(found: Set<Hex>, frame: CallFrame): void {
  for (const call of frame.calls) {
    if (call.to !== null) found.add(addressText(call.to))
    addCallees(found, call)
  }
}
