// EDR, Hardhat's engine, as an OP chain of the Isthmus rules that mines only when told. Its state roots are canonical, which anvil's
// are not. A panic inside ends the process that loaded it, so it belongs into one that only tests.
import {
  ContractDecoder,
  EdrContext,
  MineOrdering,
  OP_CHAIN_TYPE,
  OpHardfork,
  opGenesisState,
  opHardforkToString,
  opProviderFactory,
} from '@nomicfoundation/edr'
import { bigintToBytes, bytesToBigint } from '../../../src/chain/hex.ts'
import type { Allocation } from '../../../src/evm/memory-state.ts'

export type Edr = { readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T> }

export type EdrGenesis = {
  readonly chainId: bigint
  readonly gasLimit: bigint
  readonly timestamp: number
  readonly coinbase: bigint
  readonly allocations: Iterable<readonly [bigint, Allocation]>
}

/** The predeploys that EDR puts into an OP genesis. */
export const edrPredeploys = (): (readonly [bigint, Allocation])[] =>
  opGenesisState(OpHardfork.Isthmus).map(({ address, balance = 0n, nonce = 0n, code, storage = [] }) => [
    bytesToBigint(address),
    {
      balance,
      nonce,
      ...(code === undefined ? {} : { code }),
      storage: storage.map(({ index, value }) => [index, value] as const),
    },
  ])

export async function startEdr({ chainId, gasLimit, timestamp, coinbase, allocations }: EdrGenesis): Promise<Edr> {
  const context = new EdrContext()
  await context.registerProviderFactory(OP_CHAIN_TYPE, opProviderFactory())
  const provider = await context.createProvider(
    OP_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: false,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: false,
      bailOnTransactionFailure: false,
      chainId,
      networkId: chainId,
      coinbase: bigintToBytes(coinbase, 20),
      defaultTransactionGasLimit: gasLimit,
      genesisState: [...allocations].map(([address, { balance = 0n, nonce = 0n, code, storage = [] }]) => ({
        address: bigintToBytes(address, 20),
        balance,
        nonce,
        ...(code === undefined ? {} : { code }),
        storage: [...storage].map(([index, value]) => ({ index, value })),
      })),
      hardfork: opHardforkToString(OpHardfork.Isthmus),
      initialBaseFeePerGas: 1n,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: MineOrdering.Fifo } },
      network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: BigInt(timestamp) },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  )
  return {
    async call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
      const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      const { result, error } = typeof data === 'string' ? JSON.parse(data) : data
      if (error !== undefined) throw new Error(`${method}: ${error.message}`)
      return result
    },
  }
}
