// What the web pages ask beside the API: where the heads are, what a search finds, the calls of a transaction as a tree, the
// items of an NFT.
import type { Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import type { FoundContract, FoundToken, InventoryItem, PageCallFrame, PageCallFrames } from '../../contract/pages.ts'
import { blockByHash } from '../../store/read/blocks.ts'
import { rangesStored } from '../../store/read/chain-state.ts'
import { internalsOfTransactions } from '../../store/read/internals.ts'
import { contractNames, contractsNamed, tokensNamed } from '../../store/read/name-search.ts'
import { type InventoryKey, tokenInventory } from '../../store/read/token-balances.ts'
import { traceGapsAt } from '../../store/read/trace-gaps.ts'
import { transactionsByHash } from '../../store/read/transactions.ts'
import type { TokenItemRow } from '../../store/schema/tables.ts'
import { nativeUnits } from '../records/parts.ts'
import { type ExplorerOptions, type Heads, openChain, recordViewOf } from '../state/chain-context.ts'
import { type Charts, createCharts } from './charts.ts'
import { type ContractAnswers, createContractAnswers } from './contract-pages.ts'
import { createDecodedAnswers, type DecodedAnswers } from './decoded-pages.ts'
import { createNewestPending, type NewestPending } from './newest-pending.ts'
import { createQualityAnswers, type QualityAnswers } from './quality-answers.ts'

export type PageAnswers = Charts &
  QualityAnswers &
  NewestPending & {
    /** The version changes with everything that can change an answer. */
    heads: () => Promise<{ heads: Heads; version: string }>
    /** Heights that are stored without a hole between, lowest first. */
    storedRanges: () => Promise<readonly { readonly firstHeight: number; readonly lastHeight: number }[]>
    heightOfBlock: (hash: string) => Promise<number | undefined>
    isTransaction: (hash: string) => Promise<boolean>
    tokensNamed: (text: string) => Promise<FoundToken[]>
    /** Names of the verified contracts among these. */
    namesOf: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>
    contractsNamed: (text: string) => Promise<readonly FoundContract[]>
    callsOf: (hash: string) => Promise<PageCallFrames>
    /** One more than the limit where there are more. */
    itemsOf: (token: string, page: { limit: number; offset: number }) => Promise<InventoryItem[]>
    /** The same, piece by piece: `beyond` is where the piece before ended. */
    itemsBeyond: (
      token: string,
      page: { limit: number; beyond: InventoryKey | undefined },
    ) => Promise<{ items: InventoryItem[]; beyond: InventoryKey | undefined }>
    /** What is verified, and what is being verified. */
    readonly contracts: ContractAnswers
    /** Logs, errors and code in words. */
    readonly decoded: DecodedAnswers
  }

/** Tokens that a search shows. */
const MOST_TOKENS = 25
/** Frames that a page shows. */
const MOST_CALLS = 1_000

export function createPageAnswers(options: ExplorerOptions): PageAnswers {
  const { queries } = options.readers
  return {
    ...createCharts(options),
    ...createQualityAnswers(options),
    ...createNewestPending(options),
    heads: async () => {
      const { version, chain } = await openChain(options)
      return { version, heads: chain.heads }
    },
    storedRanges: () => rangesStored(queries),
    heightOfBlock: async (hash) => (await blockByHash(queries, hash as Hex))?.height,
    isTransaction: async (hash) => (await transactionsByHash(queries, [hash as Hex])).length > 0,
    tokensNamed: async (text) =>
      (await tokensNamed(queries, text, MOST_TOKENS)).map(({ address, name, symbol, kind }) => ({
        address,
        name: name ?? '',
        symbol: symbol ?? '',
        standard: `ERC-${kind}`,
      })),
    namesOf: async (addresses) =>
      addresses.length === 0
        ? new Map()
        : new Map(
            (await contractNames(queries, addresses as readonly Hex[])).map(({ address, name }) => [address, name]),
          ),
    contractsNamed: (text) => contractsNamed(queries, text, MOST_TOKENS),
    callsOf: async (hash) => callsOf(options, hash as Hex),
    contracts: createContractAnswers(options),
    decoded: createDecodedAnswers(options),
    itemsOf: async (token, { limit, offset }) =>
      (await tokenInventory(queries, token as Hex, { limit: limit + 1, offset })).map(pageItem),
    itemsBeyond: async (token, page) => {
      const rows = await tokenInventory(queries, token as Hex, page)
      return { items: rows.map(pageItem), beyond: rows.at(-1)?.key }
    },
  }
}

function pageItem({ tokenId, address, balance }: TokenItemRow): InventoryItem {
  return {
    tokenId: String(tokenId),
    owner: address,
    amount: String(balance),
  }
}

async function callsOf(options: ExplorerOptions, hash: Hex): ReturnType<PageAnswers['callsOf']> {
  const { chain } = await openChain(options)
  const [transaction] = await transactionsByHash(chain.reader, [hash])
  if (!transaction) return { calls: [], isTruncated: false, missing: undefined }
  const frames = await internalsOfTransactions(
    chain.reader,
    { positions: [transaction.pos] },
    { limit: MOST_CALLS + 1 },
  )
  const view = await recordViewOf(chain, [transaction, ...frames])
  const outermost: PageCallFrame = {
    depth: 0,
    operation: transaction.recipient === null ? 'create' : 'call',
    from: transaction.sender,
    to: transaction.recipient ?? transaction.contractAddress ?? '',
    isToContract: transaction.recipient === null || view.isContract(transaction.recipient),
    amount: nativeUnits(transaction.value),
    gas: String(transaction.gasLimit),
    gasUsed: String(transaction.gasUsed),
    hasFailed: transaction.status === 0,
    error: transaction.error ?? '',
  }
  const inner = frames.slice(0, MOST_CALLS).map(
    (frame): PageCallFrame => ({
      depth: frame.depth,
      operation: frame.operation,
      from: frame.sender,
      to: frame.recipient ?? '',
      isToContract: frame.recipient !== null && view.isContract(frame.recipient),
      amount: nativeUnits(frame.operation === 'delegatecall' ? 0n : frame.value),
      gas: String(frame.gas),
      gasUsed: String(frame.gasUsed),
      hasFailed: frame.status === 0,
      error: frame.error ?? '',
    }),
  )
  const missing = (await traceGapsAt(chain.reader, [transaction.pos])).get(transaction.pos)
  return { calls: [outermost, ...inner], isTruncated: frames.length > MOST_CALLS, missing }
}

/** EIP-55: the case of each letter is a bit of the hash over the address in lower case. */
export function checksummed(address: string): string {
  const plain = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak256(Buffer.from(plain))).toString('hex')
  const digits = Array.from(plain, (digit, i) => (hash[i]! >= '8' ? digit.toUpperCase() : digit))
  return `0x${digits.join('')}`
}
