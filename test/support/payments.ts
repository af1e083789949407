// A payment whose hash is known before it is sent.
import { createPublicClient, type Hex, http, keccak256, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { rpc } from './devnet.ts'

export async function signedPayment(nodeUrl: string): Promise<{ raw: Hex; hash: Hex }> {
  const account = privateKeyToAccount(developers[8]!.key)
  const client = createPublicClient({ transport: http(nodeUrl) })
  const request = await client.prepareTransactionRequest({
    account,
    chain: null,
    to: developers[7]!.address,
    value: parseEther('1'),
    type: 'eip1559',
  })
  const raw = await account.signTransaction({ ...request, chainId: await client.getChainId() })
  return { raw, hash: keccak256(raw) }
}

const ASK_EVERY_MS = 20

/** Right after a block, so that most of the next one is still to come: its preconfirmation stands for some flashblocks. */
export async function sendEarlyInBlock(nodeUrl: string, raw: Hex): Promise<void> {
  const before = await rpc(nodeUrl, 'eth_blockNumber')
  while ((await rpc(nodeUrl, 'eth_blockNumber')) === before)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  await rpc(nodeUrl, 'eth_sendRawTransaction', raw)
}
