// Keeps the checks of tokens in step with the chain: which tokens are new, which were used, and whose balances must be read again from
// their contract. A reorg takes back what was found out on the blocks that it removes.
import type { Hex } from '../../chain/bytes/hex.ts'
import { addressesInCalldata } from '../../chain/tokens/calldata-addresses.ts'
import type { Queries } from '../engine/database.ts'
import { listStatement, rowsInList, runInList } from '../read/page.ts'
import type { BlockRows } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { tokenBalances } from '../schema/tables.ts'
import { CHECK_STATES, NOT_READ, READ_STATES, type TokenCheckRow, tokenChecks } from '../schema/token-checks.ts'

/** A token that is used all the time is not compared with its contract more often than this. */
const COMPARED_AGAIN_AFTER_MS = 5_000

const READ = READ_STATES.join(', ')

export async function noteTokenActivity(queries: Queries, blocks: readonly BlockRows[]): Promise<void> {
  await addNewTokens(queries, blocks)
  const used = usedAddresses(blocks)
  const height = blocks.at(-1)!.block.height
  await runInList(queries, NOTE_USE, used.map(hexToStored), [height])
  const read = new Set(await readTokensAmong(queries, used))
  if (read.size > 0) await addHoldersToRead(queries, holdersIn(blocks, read))
}

function addNewTokens(queries: Queries, blocks: readonly BlockRows[]): Promise<void> {
  const rows = blocks.flatMap(({ tokens }) => tokens).map(({ address }) => tokenChecks.encode(uncheckedToken(address)))
  return queries.insert(tokenChecks, rows, '(token) do nothing')
}

function uncheckedToken(token: Hex): TokenCheckRow {
  return {
    token,
    source: 'unconfirmed',
    height: -1,
    supply: null,
    checkedMs: 0,
    dueMs: 0,
    activeHeight: -1,
    walkedPos: 0,
    readSince: 0,
  }
}

/** Addresses that were called or that logged something: those of them that are tokens may have changed balances. */
function usedAddresses(blocks: readonly BlockRows[]): Hex[] {
  const used = new Set<Hex>()
  for (const { transactions, internals, logs } of blocks) {
    for (const { recipient } of transactions) if (recipient !== null) used.add(recipient)
    for (const { recipient } of internals) if (recipient !== null) used.add(recipient)
    for (const { address } of logs) used.add(address)
  }
  return [...used]
}

/** By the primary key. */
const NOTE_USE = listStatement(
  (marks) => `
    update token_checks
    set active_height = $1,
      due_ms = case
        when due_ms > checked_ms + ${COMPARED_AGAIN_AFTER_MS} then checked_ms + ${COMPARED_AGAIN_AFTER_MS}
        else due_ms
      end
    where active_height < $1 and token in (${marks})`,
  1,
)

/** By the primary key. */
const READ_TOKENS = listStatement(
  (marks) => `
    select ${tokenChecks.select(['token'])}
    from token_checks
    where source in (${READ}) and token in (${marks})`,
)

/** Index token_checks_source shows at once where no token is read from its contract, which is usual. */
async function readTokensAmong(queries: Queries, addresses: readonly Hex[]): Promise<Hex[]> {
  const [any] = await queries.all(`select 1 as found from token_checks where source in (${READ}) limit 1`)
  if (any === undefined) return []
  const rows = await rowsInList(queries, READ_TOKENS, addresses.map(hexToStored))
  return rows.map((row) => tokenChecks.decode(row, ['token']).token)
}

export type TokenHolder = { readonly token: Hex; readonly address: Hex }

/** Everybody whose balance of these tokens the blocks may have changed: parties of transfers, callers, and whom their calls name. */
function holdersIn(blocks: readonly BlockRows[], tokens: ReadonlySet<Hex>): TokenHolder[] {
  const found = new Map<string, TokenHolder>()
  const add = (token: Hex, ...addresses: readonly Hex[]) => {
    for (const address of addresses) found.set(token + address, { token, address })
  }
  for (const { transactions, internals, transfers, logs } of blocks) {
    const outers = new Map(transactions.map((row) => [row.pos, row]))
    const addCallers = (token: Hex, txPos: number) => {
      const { sender, recipient, input } = outers.get(txPos)!
      // The input of a creation is code, in which any word may look like an address.
      add(token, sender, ...(recipient === null ? [] : addressesInCalldata(input)))
    }
    for (const { token, sender, recipient } of transfers) if (tokens.has(token)) add(token, sender, recipient)
    for (const { pos, recipient } of transactions) if (tokens.has(recipient!)) addCallers(recipient!, pos)
    for (const { address, txPos } of logs) if (tokens.has(address)) addCallers(address, txPos)
    for (const { txPos, sender, recipient } of internals) {
      if (!tokens.has(recipient!)) continue
      add(recipient!, sender)
      addCallers(recipient!, txPos)
    }
  }
  return [...found.values()].filter(({ address }) => !ZERO.test(address))
}

const ZERO = /^0x0{40}$/

/** Their balances are read from the contract next; a holder that is not known yet becomes known. By the primary key. */
export function addHoldersToRead(queries: Queries, holders: readonly TokenHolder[]): Promise<void> {
  return queries.insert(
    tokenBalances,
    holders.map((holder) => tokenBalances.encode({ ...holder, balance: 0n, readHeight: NOT_READ })),
    '(token, address) do update set read_height = excluded.read_height',
  )
}

/** Must run while the tokens of the removed blocks are still stored. Index tokens_height, indexes that begin with the token, token_checks_height, token_checks_active. */
export async function undoTokenChecks(queries: Queries, height: number): Promise<void> {
  for (const table of ['token_checks', 'token_counts', 'token_balances']) {
    await queries.run(
      `delete from ${table}
      where token in (select address from tokens where height >= $1)`,
      [height],
    )
  }
  await queries.run(
    `update token_balances
    set read_height = ${NOT_READ}
    where read_height >= $1 and token in (select token from token_checks where source in (${READ}))`,
    [height],
  )
  const stored = (state: (typeof CHECK_STATES)[number]) => CHECK_STATES.indexOf(state)
  await queries.run(
    `update token_checks
    set height = $1 - 1,
      supply = null,
      due_ms = 0,
      source = case when source in (${READ}) then ${stored('reading')} else ${stored('unconfirmed')} end
    where height >= $1`,
    [height],
  )
  await queries.run(
    `update token_checks
    set active_height = $1 - 1
    where active_height >= $1`,
    [height],
  )
}
