// One case of a GeneralStateTest: a state, a block, a transaction, and the expected result.

import { bytesToBigint, bytesToHex, hexToBytes } from '../src/chain/bytes/hex.ts'
import { keccak256 } from '../src/chain/bytes/keccak.ts'
import { encodeRlp } from '../src/chain/bytes/rlp.ts'
import { logToRlp } from '../src/chain/codec/log.ts'
import { type RecoveredTransaction, recoverTransaction } from '../src/chain/codec/recovered-transaction.ts'
import { blobBaseFee } from '../src/chain/rules/blob-fee.ts'
import { ETHEREUM_FORKS, type EthereumFork, rulesOfFork } from '../src/chain/rules/forks.ts'
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

export function* outcomesOf(test: StateTest): Iterable<CaseOutcome> {
  for (const [fork, expectations] of Object.entries(test.post)) {
    for (const expectation of expectations) {
      const { data, gas, value } = expectation.indexes
      const name = `${test.file} ${test.name} ${fork} d${data} g${gas} v${value}`
      yield { name, problem: problemOf(test, fork, expectation) }
    }
  }
}

function problemOf(test: StateTest, fork: string, expectation: Expectation): string | null {
  try {
    const { root, logsHash, refusal } = run(test, fork, expectation)
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

function run(test: StateTest, fork: string, expectation: Expectation): Run {
  const state = stateOf(test)
  const trie = new StateTrie()
  trie.apply({ accounts: state.accounts, wiped: new Set(), slots: state.slots, codes: state.codes })
  const transaction = tryRecover(hexToBytes(expectation.txbytes))
  const world = new WorldState(state)
  const execution =
    transaction instanceof Error
      ? ({ type: 'refused', message: transaction.message } as const)
      : executeTransaction(world, blockOf(test, fork), transaction)
  trie.apply(world.takeChanges())
  const logs = execution.type === 'executed' ? execution.logs : []
  return {
    root: bytesToHex(trie.root),
    logsHash: bytesToHex(keccak256(encodeRlp(logs.map(logToRlp)))),
    refusal: execution.type === 'refused' ? execution.message : null,
  }
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

function blockOf({ env, config }: StateTest, name: string): BlockEnv {
  const rules = rulesOfFork(forkNamed(name))
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
