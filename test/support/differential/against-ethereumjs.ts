// Runs random Ethereum transactions through our engine and through EthereumJS, the only other engine in these tests that knows Osaka, and
// reports every difference in gas, outcome, logs and, after each block, in the state root.
import { createBlock } from '@ethereumjs/block'
import { Common, Mainnet } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import { createAccount, createAddressFromBigInt } from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import { addressToHex, bigintToBytes, bytesToHex, wordToHex } from '../../../src/chain/bytes/hex.ts'
import { DEPOSIT } from '../../../src/chain/codec/transaction.ts'
import type { EthereumFork } from '../../../src/chain/rules/forks.ts'
import { rulesOfFork } from '../../../src/chain/rules/forks.ts'
import type { BlockEnv } from '../../../src/evm/core/block-env.ts'
import { StateTrie } from '../../../src/evm/state/state-trie.ts'
import { blockAt, createRandomChain, type Executed, executeRandomBlock, type RandomChain } from './random-chain.ts'

export type OutcomeOfBoth = { readonly ours: readonly unknown[]; readonly theirs: readonly unknown[] }

export async function outcomesOfBoth(fork: EthereumFork, seed: number, blocks: number): Promise<OutcomeOfBoth> {
  const chain = createRandomChain(seed)
  const vm = await vmOf(fork, chain)
  const trie = new StateTrie()
  trie.apply({ ...chain.state, wiped: new Set() })
  const ours: unknown[] = []
  const theirs: unknown[] = []
  for (let number = 1; number <= blocks; number++) {
    const block = { ...blockAt(number), rules: rulesOfFork(fork), chainId: 1n, coinbase: 0xc01bn }
    const { executed, changes } = executeRandomBlock(chain, block, { without: [DEPOSIT] })
    chain.state.apply(changes)
    trie.apply(changes)
    for (const each of executed) {
      ours.push(ourOutcome(each))
      theirs.push(await theirOutcome(vm, block, each))
    }
    ours.push(bytesToHex(trie.root))
    theirs.push(bytesToHex(await vm.stateManager.getStateRoot()))
  }
  return { ours, theirs }
}

async function vmOf(fork: EthereumFork, { state }: RandomChain): Promise<VM> {
  const vm = await createVM({ common: new Common({ chain: Mainnet, hardfork: fork }) })
  for (const [number, { nonce, balance, codeHash }] of state.accounts) {
    const address = createAddressFromBigInt(number)
    await vm.stateManager.putAccount(address, createAccount({ nonce, balance }))
    const code = state.codes.get(codeHash)
    if (code !== undefined) await vm.stateManager.putCode(address, code.bytes)
    for (const [slot, value] of state.slots.get(number) ?? []) {
      await vm.stateManager.putStorage(address, bigintToBytes(slot, 32), bigintToBytes(value, 32))
    }
  }
  return vm
}

function ourOutcome({ recovered, result }: Executed) {
  return {
    hash: recovered.hash,
    succeeded: result.succeeded,
    gasUsed: result.gasUsed,
    output: bytesToHex(result.output),
    logs: result.logs.map(({ address, topics, data }) => [
      addressToHex(address),
      topics.map(wordToHex),
      bytesToHex(data),
    ]),
  }
}

async function theirOutcome(
  vm: VM,
  { number, timestamp, gasLimit, coinbase, baseFee }: BlockEnv,
  { recovered }: Executed,
) {
  const header = {
    number,
    timestamp,
    gasLimit,
    baseFeePerGas: baseFee,
    coinbase: createAddressFromBigInt(coinbase),
    mixHash: new Uint8Array(32),
    excessBlobGas: 0n,
  }
  const block = createBlock({ header }, { common: vm.common, skipConsensusFormatValidation: true })
  const tx = createTxFromRLP(recovered.raw, { common: vm.common })
  const { execResult, totalGasSpent, receipt } = await runTx(vm, { tx, block, skipHardForkValidation: true })
  return {
    hash: recovered.hash,
    succeeded: execResult.exceptionError === undefined,
    gasUsed: totalGasSpent,
    output: bytesToHex(execResult.returnValue),
    logs: receipt.logs.map(([address, topics, data]) => [
      bytesToHex(address),
      topics.map(bytesToHex),
      bytesToHex(data),
    ]),
  }
}
