// A wallet in a test's browser: announced as EIP-6963 asks for, signing with a key of the devnet outside of the page.
import type { Page } from 'playwright-core'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { rpc } from './devnet.ts'

type Call = { method: string; params?: readonly unknown[] }

export async function addTestWallet(page: Page, nodeUrl: string): Promise<void> {
  const account = privateKeyToAccount(developers[5]!.key)
  const wallet = createWalletClient({ account, transport: http(nodeUrl) })
  const request = async ({ method, params = [] }: Call): Promise<unknown> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
    if (method !== 'eth_sendTransaction') return rpc(nodeUrl, method, ...params)
    const { to, data, value = '0x0' } = params[0] as { to: Hex; data: Hex; value?: Hex }
    const prepared = await wallet.prepareTransactionRequest({ chain: null, to, data, value: BigInt(value) })
    const chainId = Number(await rpc(nodeUrl, 'eth_chainId'))
    const raw = await account.signTransaction({ ...prepared, chainId } as never)
    return rpc(nodeUrl, 'eth_sendRawTransaction', raw)
  }
  await page.exposeFunction('walletRequest', request)
  await page.addInitScript(() => {
    const { walletRequest } = globalThis as unknown as { walletRequest: (call: object) => Promise<unknown> }
    const detail = Object.freeze({
      info: Object.freeze({
        uuid: 'e2f5b3a0-1d53-4e5c-9f4e-000000000001',
        name: 'Test Wallet',
        icon: '',
        rdns: 'test',
      }),
      provider: { request: (call: object) => walletRequest(call) },
    })
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    addEventListener('eip6963:requestProvider', announce)
    announce()
  })
}
