// EDR, Hardhat's engine, as an OP chain of the Isthmus rules that mines only on request. Its state roots are canonical, which anvil's
// are not. A panic inside ends the process that loaded it, so it belongs into one that only tests.
import { bigintToBytes, bytesToBigint } from '../../../src/chain/bytes/hex.ts'
import type { Allocation } from '../../../src/evm/state/memory-state.ts'

export type EdrModule = typeof import('@nomicfoundation/edr')

/** Null where the package for this platform is not installed. */
export function loadEdr(): Promise<EdrModule | null> {
  return import('@nomicfoundation/edr').catch(() => null)
}

export type Edr = { readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T> }

export type EdrGenesis = {
  readonly chainId: bigint
  readonly gasLimit: bigint
  readonly timestamp: number
  readonly coinbase: bigint
  readonly allocations: Iterable<readonly [bigint, Allocation]>
}

/** The predeploys that EDR puts into an OP genesis. */
export function edrPredeploys({ opGenesisState, OpHardfork }: EdrModule): (readonly [bigint, Allocation])[] {
  return opGenesisState(OpHardfork.Isthmus).map(({ address, balance = 0n, nonce = 0n, code, storage = [] }) => [
    bytesToBigint(address),
    {
      balance,
      nonce,
      ...(code === undefined ? {} : { code }),
      storage: storage.map(({ index, value }) => [index, value] as const),
    },
  ])
}

export async function startEdr(edr: EdrModule, genesis: EdrGenesis): Promise<Edr> {
  const { chainId, gasLimit, timestamp, coinbase, allocations } = genesis
  const context = new edr.EdrContext()
  await context.registerProviderFactory(edr.OP_CHAIN_TYPE, edr.opProviderFactory())
  const provider = await context.createProvider(
    edr.OP_CHAIN_TYPE,
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
      hardfork: edr.opHardforkToString(edr.OpHardfork.Isthmus),
      initialBaseFeePerGas: 1n,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: edr.MineOrdering.Fifo } },
      network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: BigInt(timestamp) },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new edr.ContractDecoder(),
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
