// Runs random OP transactions through our engine and through anvil and reports every difference: receipts, logs, call traces, and after
// each block the balance, nonce, code and slots of everything that changed.
import { addressToHex, bytesToHex, type Hex, toQuantity, wordToHex } from '../../../src/chain/bytes/hex.ts'
import { DEPOSIT } from '../../../src/chain/codec/transaction.ts'
import type { BlockEnv } from '../../../src/evm/core/block-env.ts'
import type { Allocation } from '../../../src/evm/state/memory-state.ts'
import type { Anvil, RpcCall } from './anvil.ts'
import { differencesOfBlock } from './compare.ts'
import { blockAt, createRandomChain, type Executed, executeRandomBlock, type OurBlock } from './random-chain.ts'

export type DifferentialReport = {
  readonly transactions: number
  /** How many of them succeeded: a run in which nothing works proves little. */
  readonly succeeded: number
  readonly deposits: number
  readonly logs: number
  readonly differences: readonly string[]
}

export async function compareWithAnvil(anvil: Anvil, seed: number, count: number): Promise<DifferentialReport> {
  const chain = createRandomChain(seed)
  await anvil.batch(chain.allocations.flatMap(([address, allocation]) => callsToSet(address, allocation)))
  chain.state.blockHashes.set(0, await latestHash(anvil))
  const differences: string[] = []
  const executed: Executed[] = []
  for (let number = 1; executed.length < count && differences.length < MOST_DIFFERENCES; number++) {
    const block = blockAt(number)
    const ours = executeRandomBlock(chain, block)
    differences.push(...(await mine(anvil, block, ours)), ...(await differencesOfBlock(anvil, number, ours)))
    chain.state.apply(ours.changes)
    chain.state.blockHashes.set(number, await latestHash(anvil))
    executed.push(...ours.executed)
  }
  return {
    transactions: executed.length,
    succeeded: executed.filter(({ result }) => result.succeeded).length,
    deposits: executed.filter(({ recovered }) => recovered.transaction.type === DEPOSIT).length,
    logs: executed.reduce((sum, { result }) => sum + result.logs.length, 0),
    differences,
  }
}

const MOST_DIFFERENCES = 40

function callsToSet(address: bigint, { balance = 0n, nonce = 0n, code, storage = [] }: Allocation): RpcCall[] {
  const hex = addressToHex(address)
  return [
    ['anvil_setBalance', hex, toQuantity(balance)],
    ['anvil_setNonce', hex, toQuantity(nonce)],
    ...(code === undefined ? [] : [['anvil_setCode', hex, bytesToHex(code)] as const]),
    ...[...storage].map(([slot, value]) => ['anvil_setStorageAt', hex, toQuantity(slot), wordToHex(value)] as const),
  ]
}

/** Has the block mined, and reports what the pool would not take. */
async function mine(anvil: Anvil, { timestamp, baseFee }: BlockEnv, { executed }: OurBlock): Promise<string[]> {
  await anvil.call('evm_setNextBlockTimestamp', timestamp)
  await anvil.call('anvil_setNextBlockBaseFeePerGas', toQuantity(baseFee))
  const sent = await anvil.batch(executed.map(({ recovered }) => ['eth_sendRawTransaction', bytesToHex(recovered.raw)]))
  await anvil.call('evm_mine')
  return sent.flatMap((answer, index) => {
    const { hash, transaction } = executed[index]!.recovered
    return answer instanceof Error ? [`${hash} of type ${transaction.type} rejected: ${answer.message}`] : []
  })
}

async function latestHash(anvil: Anvil): Promise<bigint> {
  const { hash } = await anvil.call<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
  return BigInt(hash)
}
