// A pending chain in the middle of a block, and who is in it.

import { developer, send } from '../../devnet/chain/chain-for-tests.ts'
import { callOf } from '../../devnet/contracts/calldata.ts'
import { addressToHex, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { WRAPPED_ETHER } from '../../src/chain/rules/addresses.ts'
import { type PendingRpc, type PendingRpcOptions, startPendingRpc } from './pending-rpc.ts'

export const weth = addressToHex(WRAPPED_ETHER)
export const [alice, bob] = [0, 1].map((index) => addressToHex(developer(index))) as [Hex, Hex]
export const ETHER = 10n ** 18n
export const deposit = {
  to: WRAPPED_ETHER,
  data: hexToBytes(callOf('WrappedEther', 'deposit')),
  gas: 100_000n,
  value: ETHER,
}
export const balanceOfAlice = { to: weth, data: callOf('WrappedEther', 'balanceOf', [alice]) }

export type MiddleOfBlock = {
  readonly pending: PendingRpc
  readonly wrapped: Hex
  readonly sent: Hex
  /** Hashes of its flashblocks with a transaction. */
  readonly first: Hex
  readonly tip: Hex
}

/** Block 1 is sealed; in block 2 Alice has wrapped Ether in the first flashblock and sent some in the second. */
export async function startMiddleOfBlock(options: PendingRpcOptions = {}): Promise<MiddleOfBlock> {
  const pending = await startPendingRpc(options)
  const { devnet, step, seal } = pending
  send(devnet.chain, { from: 1, nonce: 0, to: 0xcafen, value: 7n })
  await step()
  await seal()
  await step()
  const wrapped = send(devnet.chain, { from: 0, nonce: 0, ...deposit })
  await step()
  const first = (await pending.get('eth_getBlockByNumber', 'pending', false)) as { hash: Hex }
  const sent = send(devnet.chain, { from: 0, nonce: 1, to: 0xb0bn, value: 5n })
  await step()
  return { pending, wrapped, sent, first: first.hash, tip: devnet.chain.pending().hash }
}
