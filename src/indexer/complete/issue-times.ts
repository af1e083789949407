// When token contracts were created: in these blocks, in a stored block below them, or with the genesis.
import { fromQuantity, type Hex } from '../../chain/bytes/hex.ts'
import type { GenesisAccount } from '../../chain/rules/genesis.ts'
import type { Database } from '../../store/engine/database.ts'
import { blockAt } from '../../store/read/blocks.ts'
import { contractCreations } from '../../store/read/contracts.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { type NodeAccess, readStateAt } from './state-at-block.ts'

export type IssueTimeOptions = {
  readonly database: Database
  /** Accounts of the genesis file, if the index begins with them. */
  readonly genesis: readonly GenesisAccount[] | null
}

/** No entry where the creation is not known. */
export async function issueTimes(
  { node, signal, database, genesis }: NodeAccess & IssueTimeOptions,
  tokens: readonly Hex[],
  blocks: readonly DerivedBlock[],
): Promise<Map<Hex, number>> {
  const times = new Map<Hex, number>()
  if (tokens.length === 0) return times
  for (const { block, created, transactions } of blocks) {
    // What an untraced transaction created is a contract if it is a token.
    const receipts = transactions.flatMap(({ contractAddress }) => contractAddress ?? [])
    for (const address of [...created.map((each) => each.address), ...receipts]) {
      if (!times.has(address)) times.set(address, block.timestampMs)
    }
  }
  for (const [address, creation] of await contractCreations(database, tokens)) {
    if (creation.txPos !== null && creation.height < blocks[0]!.block.height) times.set(address, creation.timestampMs)
  }
  const open = tokens.filter((token) => !times.has(token))
  const first =
    genesis === null
      ? await withCodeAtGenesis({ node, signal }, open)
      : open.filter((token) => genesis.some(({ address, hasCode }) => hasCode && address === token))
  if (first.length === 0) return times
  const genesisMs =
    blocks.find(({ block }) => block.height === 0)?.block.timestampMs ??
    (await blockAt(database, 0))?.timestampMs ??
    (await genesisTime({ node, signal }))
  if (genesisMs !== undefined) for (const token of first) times.set(token, genesisMs)
  return times
}

/** A node that has thrown that state away says nothing, and then the creation is not known. */
async function withCodeAtGenesis(access: NodeAccess, addresses: readonly Hex[]): Promise<Hex[]> {
  const codes = await readStateAt(
    access,
    addresses.map((address) => ({ type: 'code', address, height: 0 })),
  )
  return addresses.filter((_, index) => (codes[index] ?? '0x') !== '0x')
}

async function genesisTime({ node, signal }: NodeAccess): Promise<number | undefined> {
  const [answer] = await node.batch([{ method: 'eth_getBlockByNumber', params: ['0x0', false] }], signal)
  const block = answer?.type === 'result' ? (answer.result as { timestamp: Hex } | null) : null
  return block === null ? undefined : Number(fromQuantity(block.timestamp)) * 1000
}
