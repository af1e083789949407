// Completes derived blocks with what needs earlier blocks or the node. The blocks must follow each other, and the store must hold the chain
// below the first of them.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { GenesisAccount } from '../../chain/rules/genesis.ts'
import type { BlockRows } from '../../store/schema/rows.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { type ContractFinderOptions, createContractFinder } from './contract-rows.ts'
import { createNativeBalances, type NativeBalanceOptions } from './native-balances.ts'
import { createTokenFinder } from './token-rows.ts'

export type Completer = {
  complete(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<BlockRows[]>
  /** The stored balances of these addresses were changed. */
  balancesChanged(addresses: readonly Hex[]): void
}

export type CompleterOptions = NativeBalanceOptions & ContractFinderOptions

/** It caches what it completed, so all its blocks must follow each other and be stored. After a reorg or a failure a new one is needed. */
export function createCompleter(options: CompleterOptions): Completer {
  const balances = createNativeBalances(options)
  const contracts = createContractFinder(options)
  const tokens = createTokenFinder(options)
  return {
    balancesChanged: balances.forget,
    async complete(blocks, signal) {
      const [balanceRows, contractRows, tokenRows] = await Promise.all([
        balances.after(blocks, signal),
        contracts.rowsOf(blocks, signal),
        tokens.rowsOf(blocks, signal),
      ])
      return blocks.map(({ block, transactions, logs, transfers, internals, traceGaps, unseenMoves }, index) => {
        const { rows: nativeBalances, reward } = balanceRows[index]!
        const rows: BlockRows = {
          block: { ...block, reward },
          transactions,
          logs,
          transfers,
          internals,
          traceGaps,
          unseenMoves,
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
