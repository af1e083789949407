// What the store says of the chain it holds.
import type { GenesisAccount } from '../chain/genesis-alloc.ts'
import type { Database } from '../store/database.ts'
import { blockAt } from '../store/read/blocks.ts'
import { chainNote, rangesStored } from '../store/read/head.ts'
import { noteChain } from '../store/write.ts'
import type { StoredHashes } from './common-ancestor.ts'

/** Undefined while it is empty. */
export async function storedChain(database: Database): Promise<StoredHashes | undefined> {
  const range = (await rangesStored(database)).at(-1)
  return range && { ...range, hashAt: async (height) => (await blockAt(database, height))?.hash }
}

/** Where balances begin: with the genesis file, written with block 0, or with what the node tells of a height. */
export type Origin = { readonly genesis: readonly GenesisAccount[] | null; readonly originHeight: number | null }

/** An index goes on as it began, whether a genesis file is given later or no more. */
export async function originOf(options: {
  readonly database: Database
  readonly startHeight: number
  readonly genesis: readonly GenesisAccount[] | null
}): Promise<Origin> {
  const { database, startHeight, genesis } = options
  const stored = await storedChain(database)
  const first = stored?.firstHeight ?? startHeight
  if (stored === undefined)
    await noteChain(database, ORIGIN, genesis !== null && first === 0 ? FROM_GENESIS : FROM_NODE)
  const isFromGenesis = (await chainNote(database, ORIGIN)) === FROM_GENESIS
  return isFromGenesis
    ? { genesis: genesis ?? [], originHeight: null }
    : { genesis: null, originHeight: Math.max(0, first - 1) }
}

const ORIGIN = 'origin of balances'
const FROM_GENESIS = 'genesis file'
const FROM_NODE = 'node'
