// A contract to call: wrapped Ether, deployed by the first developer of a devnet that makes blocks on request.
import { createPublicClient, encodeDeployData, http } from 'viem'
import { artifactOf } from '../../devnet/contracts/artifact.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { rpc } from './devnet.ts'

/** In a block of its own. */
export async function deployWrappedEther(url: string): Promise<{ hash: `0x${string}`; address: `0x${string}` }> {
  const { abi, bytecode } = artifactOf('WrappedEther')
  const data = encodeDeployData({ abi, bytecode })
  const hash = await rpc(url, 'eth_sendTransaction', { from: developers[0]!.address, data })
  await rpc(url, 'devnet_seal')
  const { contractAddress } = await createPublicClient({ transport: http(url) }).getTransactionReceipt({ hash })
  return { hash, address: contractAddress! }
}
