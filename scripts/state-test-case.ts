// One case of a GeneralStateTest: a state, a block, a transaction, and the expected result.

import { bytesToBigint, bytesToHex, hexToBytes } from '../src/chain/bytes/hex.ts'
import { keccak256 } from '../src/chain/bytes/keccak.ts'
import { encodeRlp } from '../src/chain/bytes/rlp.ts'
import { logToRlp } from '../src/chain/codec/log.ts'
import { type RecoveredTransaction, recoverTransaction } from '../src/chain/codec/recovered-transaction.ts'
import { BASE_FEE_VAULT } from '../src/chain/rules/addresses.ts'
import { blobBaseFee } from '../src/chain/rules/blob-fee.ts'
import { ETHEREUM_FORKS, type EthereumFork, type OpFork, type Rules, rulesOfFork } from '../src/chain/rules/forks.ts'
import type { BlockEnv } from '../src/evm/core/block-env.ts'
import { MemoryState } from '../src/evm/state/memory-state.ts'
import { StateTrie } from '../src/evm/state/state-trie.ts'
import { WorldState } from '../src/evm/state/world-state.ts'
import { executeTransaction } from '../src/evm/transaction/transaction.ts'

export type StateTest = {
  readonly file: string
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly pre: Readonly<Record<string, PreAccount>>
  readonly post: Readonly<Record<string, readonly Expectation[]>>
  readonly config?: { readonly chainid?: string }
}

type PreAccount = { balance: string; code: string; nonce: string; storage: Record<string, string> }

type Expectation = {
  readonly hash: string
  readonly logs: string
  readonly txbytes: string
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number }
  readonly expectException?: string
}

export type CaseOutcome = { readonly name: string; readonly problem: string | null }

/** Ethereum runs a test as its fork says; the OP Stack runs it by the rules that its newest fork with the same EVM has. */
export type RulesFamily = 'ethereum' | 'op-stack'

export function* outcomesOf(test: StateTest, family: RulesFamily): Iterable<CaseOutcome> {
  for (const [fork, expectations] of Object.entries(test.post)) {
    const rules = rulesFor(fork, family)
    if (rules === undefined) continue
    for (const expectation of expectations) {
      if (rules.op && !existsOnOpStack(test, expectation)) continue
      const { data, gas, value } = expectation.indexes
      const name = `${test.file} ${test.name} ${fork} d${data} g${gas} v${value}`
      yield { name, problem: problemOf(test, rules, expectation) }
    }
  }
}

function problemOf(test: StateTest, rules: Rules, expectation: Expectation): string | null {
  try {
    const { root, logsHash, refusal } = run(test, rules, expectation)
    if (expectation.expectException !== undefined && refusal === null) {
      return `ran, but should be refused: ${expectation.expectException}`
    }
    if (expectation.expectException === undefined && refusal !== null) return `refused: ${refusal}`
    if (root !== expectation.hash) return `state root ${root}, expected ${expectation.hash}`
    return logsHash === expectation.logs ? null : `logs hash ${logsHash}, expected ${expectation.logs}`
  } catch (thrown) {
    return `threw ${thrown instanceof Error ? thrown.stack : thrown}`
  }
}

type Run = { readonly root: string; readonly logsHash: string; readonly refusal: string | null }

function run(test: StateTest, rules: Rules, expectation: Expectation): Run {
  const state = stateOf(test)
  const trie = new StateTrie()
  trie.apply({ accounts: state.accounts, wiped: new Set(), slots: state.slots, codes: state.codes })
  const transaction = tryRecover(hexToBytes(expectation.txbytes))
  const world = new WorldState(state)
  const block = blockOf(test, rules)
  const execution =
    transaction instanceof Error
      ? ({ type: 'refused', message: transaction.message } as const)
      : executeTransaction(world, block, transaction)
  if (rules.op && execution.type === 'executed') burnBaseFee(world, execution.gasUsed * block.baseFee)
  trie.apply(world.takeChanges())
  const logs = execution.type === 'executed' ? execution.logs : []
  return {
    root: bytesToHex(trie.root),
    logsHash: bytesToHex(keccak256(encodeRlp(logs.map(logToRlp)))),
    refusal: execution.type === 'refused' ? execution.message : null,
  }
}

/** The OP Stack pays the base fee to a vault where Ethereum burns it; the expected state is Ethereum's. */
function burnBaseFee(world: WorldState, amount: bigint): void {
  world.beginTransaction()
  const vault = world.record(BASE_FEE_VAULT)
  world.setBalance(vault, vault.balance - amount)
  world.endTransaction()
}

/** The OP Stack has no blob transactions, and it had P-256 long before Osaka. */
function existsOnOpStack({ file }: StateTest, { txbytes }: Expectation): boolean {
  return !txbytes.startsWith('0x03') && !file.includes('p256verify_before_fork')
}

function tryRecover(raw: Uint8Array): RecoveredTransaction | Error {
  try {
    return recoverTransaction(raw)
  } catch (thrown) {
    if (thrown instanceof Error) return thrown
    throw thrown
  }
}

function stateOf(test: StateTest): MemoryState {
  const state = new MemoryState(
    Object.entries(test.pre).map(([address, { balance, code, nonce, storage }]) => [
      BigInt(address),
      {
        balance: BigInt(balance),
        nonce: BigInt(nonce),
        code: hexToBytes(code),
        storage: Object.entries(storage).map(([slot, value]) => [BigInt(slot), BigInt(value)] as const),
      },
    ]),
  )
  const number = Number(test.env.currentNumber)
  for (let past = Math.max(0, number - 256); past < number; past++) {
    state.blockHashes.set(past, bytesToBigint(keccak256(new TextEncoder().encode(`${past}`))))
  }
  return state
}

function blockOf({ env, config }: StateTest, rules: Rules): BlockEnv {
  const excessBlobGas = BigInt(env.currentExcessBlobGas ?? 0)
  return {
    chainId: BigInt(config?.chainid ?? 1),
    rules,
    number: Number(env.currentNumber),
    timestamp: Number(env.currentTimestamp),
    gasLimit: BigInt(env.currentGasLimit!),
    coinbase: BigInt(env.currentCoinbase!),
    baseFee: rules.london ? BigInt(env.currentBaseFee ?? DEFAULT_BASE_FEE) : 0n,
    blobBaseFee: rules.blobs === null ? 0n : blobBaseFee(excessBlobGas, rules.blobs),
    prevRandao: BigInt((rules.paris ? env.currentRandom : undefined) ?? env.currentDifficulty ?? 0),
  }
}

/** The defaults of the tests' own tools. */
const DEFAULT_BASE_FEE = 10

function rulesFor(name: string, family: RulesFamily): Rules | undefined {
  const fork = forkNamed(name)
  if (family === 'ethereum') return rulesOfFork(fork)
  return OP_FORK_ON[fork] && rulesOfFork(OP_FORK_ON[fork])
}

const OP_FORK_ON: { readonly [fork in EthereumFork]?: OpFork } = { prague: 'jovian', osaka: 'karst' }

function forkNamed(name: string): EthereumFork {
  const fork = OTHER_NAMES[name] ?? name[0]!.toLowerCase() + name.slice(1)
  const known = ETHEREUM_FORKS.find((each) => each === fork)
  if (known === undefined) throw new Error(`no fork is called ${name}`)
  return known
}

const OTHER_NAMES: { readonly [name: string]: EthereumFork } = {
  EIP150: 'tangerineWhistle',
  EIP158: 'spuriousDragon',
  ConstantinopleFix: 'petersburg',
  Merge: 'paris',
  BPO1: 'bpo1',
  BPO2: 'bpo2',
}
