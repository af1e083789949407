// Blocks of the devnet on somebody else's EVM. That one knows Ethereum and not the OP Stack, so what deposits do and where fees go is written
// down in this file a second time; code, gas, refunds, delegations, logs and all tries are theirs.
import { createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Account, createAddressFromBigInt } from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import { bigintToBytes, bigintToMinimalBytes, bytesToHex, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { DEPOSIT, type DepositTransaction } from '../../src/chain/codec/transaction.ts'
import {
  BASE_FEE_VAULT,
  BEACON_ROOTS,
  HISTORY_STORAGE,
  L1_FEE_VAULT,
  OPERATOR_FEE_VAULT,
} from '../../src/chain/rules/addresses.ts'
import { genesisState } from '../genesis/genesis-state.ts'
import type { ChainBlock, IncludedTransaction } from './included-transaction.ts'

export type Replayed = { readonly stateRoot: Hex /** Of all but deposits. */; readonly outcomes: readonly Outcome[] }
export type Outcome = { readonly gasUsed: bigint; readonly status: 0 | 1; readonly logs: number }

export type EthereumjsReplay = { run(block: ChainBlock): Promise<Replayed> }

/** What each fork takes from Ethereum, and what the operator's fee costs: Jovian made it 10^8 times as much for the same parameter. */
const FORKS = {
  isthmus: { hardfork: Hardfork.Prague, operatorFee: (gas: bigint, scalar: bigint) => (gas * scalar) / 1_000_000n },
  karst: { hardfork: Hardfork.Osaka, operatorFee: (gas: bigint, scalar: bigint) => gas * scalar * 100n },
} as const
type ReplayedFork = keyof typeof FORKS

export async function createEthereumjsReplay(
  fork: ReplayedFork,
  chainId: number,
  hashOf: (number: number) => Hex,
): Promise<EthereumjsReplay> {
  const common = new Common({
    chain: { ...Mainnet, chainId },
    hardfork: FORKS[fork].hardfork,
    customCrypto: { keccak256 },
  })
  const state = new MerkleStateManager({ common })
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => hexToBytes(hashOf(number)) }),
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  }
  const vm = await createVM({ common, stateManager: state, blockchain: blockchain as never })
  await putGenesis(state, fork)
  return {
    async run({ header, transactions }) {
      const block = createBlock(
        {
          header: {
            parentHash: hexToBytes(header.parentHash),
            coinbase: createAddressFromBigInt(header.miner),
            number: BigInt(header.number),
            gasLimit: header.gasLimit,
            timestamp: BigInt(header.timestamp),
            mixHash: hexToBytes(header.mixHash),
            baseFeePerGas: header.baseFeePerGas!,
            parentBeaconBlockRoot: hexToBytes(header.parentBeaconBlockRoot!),
          },
        },
        { common },
      )
      await systemWrites(state, header)
      const outcomes: Outcome[] = []
      for (const included of transactions) {
        const { transaction } = included.recovered
        if (transaction.type === DEPOSIT) await runDeposit(vm, block, transaction)
        else outcomes.push(await runSigned({ vm, block, fork }, included, header.baseFeePerGas!))
      }
      return { stateRoot: bytesToHex(await state.getStateRoot()), outcomes }
    },
  }
}

type EthereumjsBlock = ReturnType<typeof createBlock>

async function putGenesis(state: MerkleStateManager, fork: ReplayedFork): Promise<void> {
  for (const { address, balance, nonce, code, storage } of genesisState({ fork })) {
    const at = createAddressFromBigInt(address)
    await state.putAccount(at, new Account(nonce, balance))
    if (code.length > 0) await state.putCode(at, code)
    for (const [slot, value] of storage)
      await state.putStorage(at, bigintToBytes(slot, 32), bigintToMinimalBytes(value))
  }
}

/** EIP-4788 and EIP-2935. */
async function systemWrites(state: MerkleStateManager, header: ChainBlock['header']): Promise<void> {
  const write = (address: bigint, slot: number, value: bigint) =>
    state.putStorage(createAddressFromBigInt(address), bigintToBytes(BigInt(slot), 32), bigintToMinimalBytes(value))
  const place = header.timestamp % RING
  await write(BEACON_ROOTS, place, BigInt(header.timestamp))
  await write(BEACON_ROOTS, place + RING, BigInt(header.parentBeaconBlockRoot!))
  await write(HISTORY_STORAGE, (header.number - 1) % RING, BigInt(header.parentHash))
}

const RING = 8191

async function runDeposit(vm: VM, block: EthereumjsBlock, deposit: DepositTransaction): Promise<void> {
  if (deposit.to === null) throw new Error('The replay knows no deposits that create')
  await credit(vm, deposit.from, deposit.mint)
  const caller = createAddressFromBigInt(deposit.from)
  // Counts the nonce by itself, and fails by itself where the value is not there.
  await vm.evm.runCall({
    block,
    caller,
    origin: caller,
    gasPrice: 0n,
    to: createAddressFromBigInt(deposit.to),
    value: deposit.value,
    data: deposit.data,
    gasLimit: deposit.gasLimit - DEPOSIT_UPFRONT_GAS,
  })
  await vm.evm.journal.cleanup()
}

/** Near what a deposit with little data costs by itself: none of them comes close to its limit. */
const DEPOSIT_UPFRONT_GAS = 25_000n

async function runSigned(
  { vm, block, fork }: { vm: VM; block: EthereumjsBlock; fork: ReplayedFork },
  { recovered, opFees }: IncludedTransaction,
  baseFee: bigint,
): Promise<Outcome> {
  const { l1Fee = 0n, operatorFeeScalar = 0n, operatorFeeConstant = 0n } = opFees!
  const operatorFee = (gas: bigint) => FORKS[fork].operatorFee(gas, operatorFeeScalar) + operatorFeeConstant
  const { gasLimit } = recovered.transaction
  await credit(vm, recovered.from, -l1Fee - operatorFee(gasLimit))
  const tx = createTxFromRLP(recovered.raw, { common: vm.common })
  const { totalGasSpent, execResult, receipt } = await runTx(vm, { tx, block, skipHardForkValidation: true })
  await credit(vm, recovered.from, operatorFee(gasLimit) - operatorFee(totalGasSpent))
  await credit(vm, BASE_FEE_VAULT, totalGasSpent * baseFee)
  await credit(vm, L1_FEE_VAULT, l1Fee)
  await credit(vm, OPERATOR_FEE_VAULT, operatorFee(totalGasSpent))
  const status = execResult.exceptionError === undefined ? 1 : 0
  return { gasUsed: totalGasSpent, status, logs: receipt.logs.length }
}

async function credit({ stateManager }: VM, address: bigint, amount: bigint): Promise<void> {
  if (amount === 0n) return
  const at = createAddressFromBigInt(address)
  const account = (await stateManager.getAccount(at)) ?? new Account()
  account.balance += amount
  await stateManager.putAccount(at, account)
}
