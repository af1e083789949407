// Puts contracts on a devnet: compiled by this module, or as they come.
import { readFileSync } from 'node:fs'
import solc from 'solc'
import { type Abi, createWalletClient, encodeDeployData, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developers } from '../../../devnet/genesis/accounts.ts'
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import { rpc } from '../devnet.ts'

/** On a busy machine the blocks of a devnet may be late. */
const INCLUDED_WITHIN_MS = 90_000

export type Compiled = { readonly abi: Abi; readonly bytecode: Hex }

export function readFixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/verification/${name}`, import.meta.url), 'utf8')
}

/** Every contract of one Solidity file, by name. Libraries are linked to the addresses given. */
export function compiledFixture(name: string, libraries: Readonly<Record<string, Hex>> = {}): Map<string, Compiled> {
  return compiledSource(name, readFixture(name), libraries)
}

export function compiledSource(
  name: string,
  content: string,
  libraries: Readonly<Record<string, Hex>> = {},
): Map<string, Compiled> {
  const input = {
    language: 'Solidity',
    sources: { [name]: { content } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'prague',
      libraries: { [name]: libraries },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return new Map(
    Object.entries(output.contracts[name]!).map(([contract, { abi, evm }]) => [
      contract,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  )
}

export type Deployer = {
  deploy: (contract: Compiled, args?: readonly unknown[]) => Promise<Hex>
  /** Code as it is to stand there, without a constructor. */
  deployRuntime: (runtime: Hex) => Promise<Hex>
  send: (to: Hex, data: Hex) => Promise<Hex>
  /** The account takes the code of a contract for its own. */
  delegateTo: (contract: Hex) => Promise<Hex>
  readonly address: Hex
}

export function createDeployer(url: string, { account = 3 } = {}): Deployer {
  const signer = privateKeyToAccount(developers[account]!.key)
  // Without a chain it asks the node which one this is.
  const wallet = createWalletClient({ account: signer, transport: http(url) })
  const chain = null
  const receiptOf = async (hash: Hex) => {
    for (const giveUpMs = Date.now() + INCLUDED_WITHIN_MS; Date.now() < giveUpMs; ) {
      const receipt = await rpc(url, 'eth_getTransactionReceipt', hash)
      if (receipt) return receipt as { status: Hex; contractAddress: Hex | null }
      await rpc(url, 'devnet_seal').catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`${hash} was not included`)
  }
  const create = async (data: Hex): Promise<Hex> => {
    const hash = await wallet.sendTransaction({ chain, data, gas: 5_000_000n, to: null })
    const { status, contractAddress } = await receiptOf(hash)
    if (status !== '0x1' || !contractAddress) throw new Error('the contract was not created')
    return contractAddress.toLowerCase() as Hex
  }
  return {
    address: signer.address.toLowerCase() as Hex,
    deploy: (contract, args = []) => create(encodeDeployData({ ...contract, args } as never)),
    deployRuntime: (runtime) => create(constructorOf(runtime)),
    delegateTo: async (contractAddress) => {
      const authorization = await wallet.signAuthorization({ contractAddress, executor: 'self' })
      const hash = await wallet.sendTransaction({
        chain,
        authorizationList: [authorization],
        to: signer.address,
        gas: 100_000n,
      })
      await receiptOf(hash)
      return signer.address.toLowerCase() as Hex
    },
    send: async (to, data) => {
      const hash = await wallet.sendTransaction({ chain, to, data, gas: 2_000_000n })
      if ((await receiptOf(hash)).status !== '0x1') throw new Error('the call failed')
      return hash
    },
  }
}

/** PUSH2 length, DUP1, PUSH1 11, PUSH0, CODECOPY, PUSH0, RETURN: copies what follows it. */
function constructorOf(runtime: Hex): Hex {
  const length = ((runtime.length - 2) / 2).toString(16).padStart(4, '0')
  return `0x61${length}80600a5f395ff3${runtime.slice(2)}`
}
