// From the frame of a flashblock to the moment when its transaction is answered for.
import { WebSocket } from 'ws'
import { developer, signed } from '../../devnet/chain/chain-for-tests.ts'
import { callOf } from '../../devnet/contracts/calldata.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { addressToHex, bytesToHex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { ask } from './load.ts'

export type Latencies = { readonly receiptMs: readonly number[]; readonly callMs: readonly number[] }

/** Alternates between the two questions, so that asking one does not warm the way for the other. */
export async function measureLatencies(
  devnet: Devnet,
  url: string,
  wrapped: bigint,
  times: number,
): Promise<Latencies> {
  const socket = new WebSocket(devnet.feedUrl)
  await new Promise((resolve) => socket.once('open', resolve))
  const receiptMs: number[] = []
  const callMs: number[] = []
  const balanceOf = {
    to: addressToHex(wrapped),
    data: callOf('WrappedEther', 'balanceOf', [addressToHex(developer(0))]),
  }
  for (let nonce = 0; nonce < times; nonce++) {
    const deposit = { to: wrapped, data: hexToBytes(callOf('WrappedEther', 'deposit')), gas: 100_000n, value: 1n }
    const { raw, hash } = signed({ from: 0, nonce, ...deposit })
    await ask(devnet.url, 'eth_sendRawTransaction', bytesToHex(raw))
    const framed = new Promise<number>((resolve) => socket.once('message', () => resolve(performance.now())))
    void ask(devnet.url, nonce % FLASHBLOCKS_IN_BLOCK === 0 ? 'devnet_seal' : 'devnet_step')
    const framedMs = await framed
    if (nonce % 2 === 0) {
      while ((await ask(url, 'eth_getTransactionReceipt', hash)) === null);
      receiptMs.push(performance.now() - framedMs)
    } else {
      while (BigInt(await ask(url, 'eth_call', balanceOf, 'pending')) <= BigInt(nonce));
      callMs.push(performance.now() - framedMs)
    }
  }
  socket.terminate()
  return { receiptMs, callMs }
}

const FLASHBLOCKS_IN_BLOCK = 10
