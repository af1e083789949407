// Finds the wallets of the browser (EIP-6963) and connects the one that the reader chooses.
import { ask, CallFailure } from './json-rpc.ts'

type Provider = { request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown> }
type Announced = { readonly info: { readonly uuid: string; readonly name: string }; readonly provider: Provider }

export type Wallet = {
  readonly account: string
  readonly request: (method: string, params: readonly unknown[]) => Promise<unknown>
}

export type Wallets = {
  /** The chosen wallet, switched to this chain; throws a CallFailure where there is none. */
  connected: () => Promise<Wallet>
}

const MOST_WALLETS = 20

export function createWallets(root: HTMLElement): Wallets {
  const container = root.querySelector<HTMLElement>('[data-wallets]')!
  const state = root.querySelector<HTMLElement>('[data-wallet-state]')!
  const known = new Map<string, Announced>()
  let chosen: { announced: Announced; account: string } | undefined

  const connect = async (announced: Announced): Promise<void> => {
    const [account] = (await announced.provider.request({ method: 'eth_requestAccounts' })) as string[]
    if (!account) throw new CallFailure(`${announced.info.name} gave no account.`)
    chosen = { announced, account }
    state.textContent = `${announced.info.name}: ${account}`
  }

  addEventListener('eip6963:announceProvider', (event) => {
    const announced = (event as CustomEvent<Announced>).detail
    if (known.has(announced.info.uuid) || known.size >= MOST_WALLETS) return
    known.set(announced.info.uuid, announced)
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = `Connect ${announced.info.name}`
    button.addEventListener('click', () =>
      connect(announced).catch((error: Error) => {
        state.textContent = error.message
      }),
    )
    container.prepend(button)
    if (!chosen) state.textContent = ''
  })
  state.textContent = 'No wallet was found in this browser.'
  dispatchEvent(new Event('eip6963:requestProvider'))

  return {
    connected: async () => {
      const [only] = known.values()
      if (!chosen && known.size === 1) await connect(only!)
      if (!chosen)
        throw new CallFailure(known.size === 0 ? 'No wallet was found in this browser.' : 'Connect a wallet.')
      const { announced, account } = chosen
      const request = (method: string, params: readonly unknown[]) => announced.provider.request({ method, params })
      await switchToChain(request)
      return { account, request }
    },
  }
}

/** Without this the wallet could send the transaction to another chain. */
async function switchToChain(request: Wallet['request']): Promise<void> {
  const ours = String(await ask('eth_chainId', []))
  const isOnChain = async () => BigInt(String(await request('eth_chainId', []))) === BigInt(ours)
  if (await isOnChain()) return
  await request('wallet_switchEthereumChain', [{ chainId: ours }])
  if (!(await isOnChain())) throw new CallFailure(`The wallet is on another chain: this one is ${BigInt(ours)}.`)
}
