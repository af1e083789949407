// A random OP chain as our engine runs it: who lives on it, what stands in it, and block after block of random transactions.

import { addressOfPrivateKey } from '../../../src/chain/bytes/secp256k1.ts'
import type { RecoveredTransaction } from '../../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT, type TransactionType } from '../../../src/chain/codec/transaction.ts'
import { L1_BLOCK } from '../../../src/chain/rules/addresses.ts'
import { rulesOfFork } from '../../../src/chain/rules/forks.ts'
import type { BlockEnv } from '../../../src/evm/core/block-env.ts'
import { type Allocation, MemoryState } from '../../../src/evm/state/memory-state.ts'
import type { StateChanges } from '../../../src/evm/state/state-source.ts'
import { WorldState } from '../../../src/evm/state/world-state.ts'
import { CallRecorder } from '../../../src/evm/tracers/call-recorder.ts'
import { type ParityTrace, toParityTraces } from '../../../src/evm/tracers/parity-trace.ts'
import type { ExecutionResult } from '../../../src/evm/transaction/execution.ts'
import { executeTransaction } from '../../../src/evm/transaction/transaction.ts'
import { createRandom, type Random } from './random.ts'
import { randomProgram } from './random-code.ts'
import { randomTransaction, type User } from './random-transaction.ts'

export type RandomChain = {
  readonly random: Random
  readonly users: readonly User[]
  /** What the other side must have in its state before the first block. */
  readonly allocations: readonly (readonly [address: bigint, allocation: Allocation])[]
  readonly state: MemoryState
}

export type Executed = {
  readonly recovered: RecoveredTransaction
  readonly result: ExecutionResult
  readonly traces: readonly ParityTrace[]
}

export type OurBlock = { readonly executed: readonly Executed[]; readonly changes: StateChanges }

/** Funded users, random contracts and fee parameters in L1Block, besides the predeploys. */
export function createRandomChain(seed: number, predeploys: RandomChain['allocations'] = []): RandomChain {
  const random = createRandom(seed)
  const users = Array.from({ length: USERS }, () => userOf(random.bytes(32)))
  const allocations = [...new Map([...predeploys, ...openingAllocations(random, users)])]
  return { random, users, allocations, state: new MemoryState(allocations) }
}

/** Leaves the state as it is; the caller applies the changes. */
export function executeRandomBlock(
  { random, users, state }: RandomChain,
  block: BlockEnv,
  { without = [] }: { readonly without?: readonly TransactionType[] } = {},
): OurBlock {
  const world = new WorldState(state)
  const contracts = [...state.accounts]
    .filter(([address]) => !users.some((user) => user.address === address))
    .map(([address]) => address)
  const targets = targetsOf(users, contracts.slice(0, CONTRACTS + 200))
  const sent = new Map<bigint, bigint>()
  const executed: Executed[] = []
  let gasUsedBefore = 0n
  for (let tries = 0; executed.length < TRANSACTIONS_PER_BLOCK && tries < MOST_TRIES; tries++) {
    const nonceOf = (address: bigint) => world.account(address)?.nonce ?? 0n
    const recovered = randomTransaction(random, {
      chainId: block.chainId,
      baseFee: block.baseFee,
      users,
      targets,
      nonceOf,
    })
    const { from, transaction } = recovered
    const isDeposit = transaction.type === DEPOSIT
    // A pool knows the state before the block: it holds back what follows a nonce that something other than a transaction of the same
    // sender moved, takes a second deposit for a replacement, and refuses a value that the sender does not have yet.
    if (without.includes(transaction.type)) continue
    const known = state.account(from)
    if (isDeposit ? sent.has(from) : nonceOf(from) !== (known?.nonce ?? 0n) + (sent.get(from) ?? 0n)) continue
    if (transaction.value > (known?.balance ?? 0n)) continue
    // anvil leaves a deposit out whose sender has spent the value by now; an OP chain includes it as failed.
    if (isDeposit && transaction.value > (world.account(from)?.balance ?? 0n)) continue
    const recorder = new CallRecorder()
    const result = executeTransaction(world, block, recovered, { gasUsedBefore, tracer: recorder })
    if (result.type === 'refused') continue
    gasUsedBefore += result.gasUsed
    sent.set(from, isDeposit ? ALL_NONCES : (sent.get(from) ?? 0n) + 1n)
    executed.push({
      recovered,
      result,
      traces: recorder.root === null ? [] : toParityTraces(recorder.root, { includePrecompiles: true }),
    })
  }
  return { executed, changes: world.takeChanges() }
}

export function blockAt(number: number): BlockEnv {
  return {
    chainId: CHAIN_ID,
    rules: RULES,
    number,
    timestamp: GENESIS_TIME + number,
    gasLimit: 300_000_000n,
    coinbase: 0n,
    baseFee: BASE_FEE,
    blobBaseFee: 1n,
    prevRandao: 0n,
  }
}

export const CHAIN_ID = 196n

const USERS = 8
const CONTRACTS = 24
const TRANSACTIONS_PER_BLOCK = 40
/** Of finding another transaction for a block: there may be none left that a pool would take. */
const MOST_TRIES = 10 * TRANSACTIONS_PER_BLOCK
/** Of a sender that may send no more in this block. */
const ALL_NONCES = 1n << 64n
const BASE_FEE = 1_000_000n
const RULES = rulesOfFork('isthmus')
const GENESIS_TIME = 2_000_000_000

function userOf(privateKey: Uint8Array): User {
  return { privateKey, address: addressOfPrivateKey(privateKey) }
}

function openingAllocations(random: Random, users: readonly User[]): RandomChain['allocations'] {
  const contracts = Array.from({ length: CONTRACTS }, (_, index) => CONTRACT_BASE + BigInt(index))
  const targets = targetsOf(users, contracts)
  const scalars = (BigInt(1 + random.below(50_000)) << 96n) | (BigInt(1 + random.below(900_000)) << 64n)
  const operator = (BigInt(random.below(2_000_000)) << 64n) | BigInt(random.below(100_000))
  return [
    ...users.map(({ address }) => [address, { balance: 10n ** 21n }] as const),
    ...contracts.map(
      (address) => [address, { balance: 1000n, nonce: 1n, code: randomProgram(random, targets) }] as const,
    ),
    [
      L1_BLOCK,
      {
        nonce: 1n,
        code: Uint8Array.of(0),
        storage: [
          [1n, 7_000_000_000n],
          [3n, scalars],
          [7n, 12_345n],
          [8n, operator],
        ],
      },
    ],
  ]
}

const CONTRACT_BASE = 0xc0de_0000_0000_0000_0000_0000_0000_0000_0000_0000n
const PRECOMPILES = [1n, 2n, 3n, 4n, 5n, 6n, 9n]
const NOBODY = [0xdeadn, 0xbeef_0000_0000_0001n]

function targetsOf(users: readonly User[], contracts: readonly bigint[]): bigint[] {
  return [...users.map(({ address }) => address), ...contracts, ...contracts, ...PRECOMPILES, ...NOBODY]
}
