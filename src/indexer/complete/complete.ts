// From what blocks say alone to whole rows: adds what needs the chain before them and the node. The blocks follow each other, and what
// the store holds below the first of them is what holds there.
import type { GenesisAccount } from '../../chain/rules/genesis.ts'
import type { BlockRows } from '../../store/schema/rows.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { type ContractFinderOptions, createContractFinder } from './contract-rows.ts'
import { createNativeBalances, type NativeBalanceOptions } from './native-balances.ts'
import { createTokenFinder } from './token-rows.ts'

export type Completer = {
  complete(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<BlockRows[]>
}

export type CompleterOptions = NativeBalanceOptions & ContractFinderOptions

/** Remembers what it completed, so it serves blocks that follow each other and are all stored; anything else needs a new one. */
export function createCompleter(options: CompleterOptions): Completer {
  const balances = createNativeBalances(options)
  const contracts = createContractFinder(options)
  const tokens = createTokenFinder(options)
  return {
    async complete(blocks, signal) {
      const [balanceRows, contractRows, tokenRows] = await Promise.all([
        balances.after(blocks, signal),
        contracts.rowsOf(blocks, signal),
        tokens.rowsOf(blocks, signal),
      ])
      return blocks.map(({ block, transactions, logs, transfers, internals }, index) => {
        const { rows: nativeBalances, reward } = balanceRows[index]!
        const rows: BlockRows = {
          block: { ...block, reward },
          transactions,
          logs,
          transfers,
          internals,
          contracts: contractRows[index]!,
          ...tokenRows[index]!,
          nativeBalances,
        }
        return block.height === 0 && options.genesis !== null ? withGenesis(rows, options.genesis) : rows
      })
    },
  }
}

function withGenesis(rows: BlockRows, accounts: readonly GenesisAccount[]): BlockRows {
  return {
    ...rows,
    contracts: accounts
      .filter(({ hasCode }) => hasCode)
      .map(({ address }) => ({ address, height: 0, txPos: null, creator: null })),
    nativeBalances: accounts.map(({ address, balance }) => ({ address, height: 0, balance })),
  }
}
