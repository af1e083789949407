// The state that every engine starts from, built by our engine: two tokens, an exchange with liquidity, bare arithmetic, a trader who holds
// and has approved both. And the calls and transactions to run on it.
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import { addressToHex, bigintToBytes, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { addressOfPrivateKey } from '../../src/chain/bytes/secp256k1.ts'
import { type RecoveredTransaction, signTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { FEE_MARKET, type Unsigned } from '../../src/chain/codec/transaction.ts'
import { rulesOfFork } from '../../src/chain/rules/forks.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'
import contracts from '../contracts/artifacts/Workload.json' with { type: 'json' }
import type { Call } from './engine.ts'

export const TRANSFER_COUNT = 500
/** 3.9 million gas. */
const ARITHMETIC_ROUNDS = 44_000
const WEALTH = 10n ** 24n

export const block: BlockEnv = {
  chainId: 196n,
  rules: rulesOfFork('isthmus'),
  number: 1,
  timestamp: 1_700_000_000,
  gasLimit: 300_000_000n,
  coinbase: 0xc01bn,
  baseFee: 7n,
  blobBaseFee: 1n,
  prevRandao: 0n,
}

const traderKey = bigintToBytes(0x7ade5n, 32)
export const trader = addressOfPrivateKey(traderKey)

export const state = new MemoryState([[trader, { balance: WEALTH }]])
let nonce = 0n

const first = deploy('Token', [])
const second = deploy('Token', [])
const exchange = deploy('Exchange', [addressToHex(first), addressToHex(second)])
const arithmetic = deploy('Arithmetic', [])
for (const token of [first, second]) {
  send(callTo('Token', token, 'mint', [addressToHex(trader), WEALTH]))
  send(callTo('Token', token, 'mint', [addressToHex(exchange), WEALTH]))
  send(callTo('Token', token, 'approve', [addressToHex(exchange), WEALTH]))
}
send(callTo('Exchange', exchange, 'sync', []))

export const calls = {
  balanceOf: callTo('Token', first, 'balanceOf', [addressToHex(trader)]),
  swap: callTo('Exchange', exchange, 'swap', [10n ** 18n, 1n]),
  arithmetic: callTo('Arithmetic', arithmetic, 'run', [BigInt(ARITHMETIC_ROUNDS)]),
} as const satisfies Record<string, Call>

/** From one sender to as many recipients, so that every one writes a new slot. */
export const transfers: readonly RecoveredTransaction[] = Array.from({ length: TRANSFER_COUNT }, (_, i) =>
  signed(callTo('Token', first, 'transfer', [addressToHex(BigInt(i) + 0x10000n), 1n]), nonce + BigInt(i)),
)

function callTo(contract: keyof typeof contracts, to: bigint, functionName: string, args: readonly unknown[]): Call {
  return { to, data: hexToBytes(encodeFunctionData({ abi: contracts[contract].abi as Abi, functionName, args })) }
}

function deploy(contract: keyof typeof contracts, args: readonly unknown[]): bigint {
  const { abi, bytecode } = contracts[contract]
  return send({
    to: null,
    data: hexToBytes(encodeDeployData({ abi: abi as Abi, bytecode: bytecode as `0x${string}`, args })),
  })!
}

function send(message: { to: bigint | null; data: Uint8Array }): bigint | null {
  const world = new WorldState(state)
  const execution = executeTransaction(world, block, signed(message, nonce++))
  if (execution.type === 'refused' || !execution.succeeded) throw new Error('the workload could not be set up')
  state.apply(world.takeChanges())
  return execution.contractAddress
}

function signed({ to, data }: { to: bigint | null; data: Uint8Array }, ofNonce: bigint): RecoveredTransaction {
  const unsigned: Unsigned = {
    type: FEE_MARKET,
    chainId: block.chainId,
    nonce: ofNonce,
    maxFeePerGas: 100n,
    maxPriorityFeePerGas: 1n,
    gasLimit: 3_000_000n,
    to,
    value: 0n,
    data,
    accessList: [],
  }
  return signTransaction(unsigned, traderKey)
}
