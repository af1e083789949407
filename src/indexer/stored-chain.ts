// Reads from the store which chain it holds.
import type { GenesisAccount } from '../chain/rules/genesis.ts'
import { setChainNote } from '../store/chain/chain-notes.ts'
import type { Database } from '../store/engine/database.ts'
import { blockAt } from '../store/read/blocks.ts'
import { chainNote, FROM_GENESIS, NATIVE_ORIGIN, rangesStored } from '../store/read/chain-state.ts'
import type { StoredRange } from '../store/schema/tables.ts'
import type { StoredHashes } from './common-ancestor.ts'

/** The range with the highest stored block; undefined while the index is empty. */
export async function headRange(database: Database): Promise<StoredHashes | undefined> {
  const range = (await rangesStored(database)).at(-1)
  return range && hashesOf(database, range)
}

export function hashesOf(database: Database, range: StoredRange): StoredHashes {
  return {
    ...range,
    hashAt: async (height) => (await blockAt(database, height))?.hash,
  }
}

/**
 * The accounts of the genesis file if the index begins with them; null if balances are read from the node. The choice is stored with
 * block 0 and stays: adding or removing the genesis file later changes nothing.
 */
export async function genesisOf(options: {
  readonly database: Database
  readonly startHeight: number
  readonly genesis: readonly GenesisAccount[] | null
}): Promise<readonly GenesisAccount[] | null> {
  const { database, startHeight, genesis } = options
  const [lowest] = await rangesStored(database)
  if (lowest?.firstHeight !== 0) {
    await setChainNote(database, NATIVE_ORIGIN, genesis !== null && startHeight === 0 ? FROM_GENESIS : FROM_NODE)
  }
  return (await chainNote(database, NATIVE_ORIGIN)) === FROM_GENESIS ? (genesis ?? []) : null
}

const FROM_NODE = 'node'
