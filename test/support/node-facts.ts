// The chain as the node itself reports it, from its JSON-RPC alone: blocks, receipts, traces, balances and what contracts
// answer. Nothing of it comes from our own parsing, deriving or storing.
import { decodeAbiParameters, decodeFunctionResult, encodeFunctionData, erc20Abi, erc721Abi, parseAbi } from 'viem'
import { rpc } from './devnet.ts'
import { sideBySide } from './side-by-side.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON as the node gives it
type Json = any
export type Hex = `0x${string}`

export type BlockFact = { raw: Json; height: number; transactions: TransactionFact[] }
export type TransactionFact = { raw: Json; receipt: Json; trace: Json; block: BlockFact; index: number }
export type LogFact = { raw: Json; transaction: TransactionFact }
export type TransferFact = {
  transaction: TransactionFact
  kind: 20 | 721 | 1155
  token: Hex
  from: Hex
  to: Hex
  amount: bigint
  tokenId: bigint | undefined
}
export type InternalFact = { transaction: TransactionFact; frame: Json; failed: boolean }

export type TokenFact = {
  address: Hex
  kind: 20 | 721 | 1155
  name: string
  symbol: string
  decimals: number
  supply: bigint | undefined
  holders: Map<Hex, bigint>
}

export type NodeFacts = {
  blocks: BlockFact[]
  transactions: TransactionFact[]
  logs: LogFact[]
  transfers: TransferFact[]
  internals: InternalFact[]
  contracts: Set<Hex>
  balances: Map<Hex, bigint>
  tokens: Map<Hex, TokenFact>
  safe: number
  finalized: number
}

export function quantity(height: number): Hex {
  return `0x${height.toString(16)}`
}

/** Everything up to the node's head; `alsoFunded` are addresses that no block names. */
export async function readNodeFacts(url: string, alsoFunded: readonly Hex[]): Promise<NodeFacts> {
  const ask = (method: string, ...params: unknown[]) => rpc(url, method, ...params)
  const head = Number(await ask('eth_blockNumber'))
  const blocks: BlockFact[] = []
  for (let height = 0; height <= head; height++) blocks.push(await blockFact(ask, height))
  const transactions = blocks.flatMap((block) => block.transactions)
  const logs = transactions.flatMap((transaction) =>
    transaction.receipt.logs.map((raw: Json): LogFact => ({ raw, transaction })),
  )
  const transfers = logs.flatMap(transfersOf)
  const internals = transactions.flatMap((transaction) =>
    below(transaction.trace).map(({ frame, failed }): InternalFact => ({ transaction, frame, failed })),
  )
  const addresses = namedAddresses({ transactions, transfers, internals, blocks, alsoFunded })
  const balances = new Map<Hex, bigint>()
  const contracts = new Set<Hex>()
  await sideBySide([...addresses], async (address) => {
    balances.set(address, BigInt(await ask('eth_getBalance', address, quantity(head))))
    const code: string = await ask('eth_getCode', address, quantity(head))
    if (code !== '0x' && !code.startsWith('0xef0100')) contracts.add(address)
  })
  for (const { trace } of transactions) {
    const frames = [{ frame: trace, failed: Boolean(trace.error) }, ...below(trace)]
    for (const { frame, failed } of frames) if (!failed && becomesContract(frame)) contracts.add(frame.to)
  }
  const tokens = new Map<Hex, TokenFact>()
  for (const { token, kind } of transfers) {
    // A token that is a part of the node has no code and is a contract all the same.
    contracts.add(token)
    if (!tokens.has(token)) tokens.set(token, await tokenFact(ask, { token, kind, transfers, addresses }))
  }
  const heightOf = async (tag: string) => Number((await ask('eth_getBlockByNumber', tag, false)).number)
  const [safe, finalized] = [await heightOf('safe'), await heightOf('finalized')]
  return { blocks, transactions, logs, transfers, internals, contracts, balances, tokens, safe, finalized }
}

type Ask = (method: string, ...params: unknown[]) => Promise<Json>

async function blockFact(ask: Ask, height: number): Promise<BlockFact> {
  const raw = await ask('eth_getBlockByNumber', quantity(height), true)
  const receipts = await ask('eth_getBlockReceipts', quantity(height))
  const traces = height === 0 ? [] : await ask('debug_traceBlockByNumber', quantity(height), { tracer: 'callTracer' })
  const block: BlockFact = { raw, height, transactions: [] }
  block.transactions = raw.transactions.map((transaction: Json, index: number) => ({
    raw: transaction,
    receipt: receipts[index],
    trace: traces[index].result,
    block,
    index,
  }))
  return block
}

/** Every frame but the outermost, a caller before those it calls. */
function below(caller: Json, failed = Boolean(caller.error)): { frame: Json; failed: boolean }[] {
  return (caller.calls ?? []).flatMap((frame: Json) => {
    const isUndone = failed || Boolean(frame.error)
    return [{ frame, failed: isUndone }, ...below(frame, isUndone)]
  })
}

/** A contract that was destroyed was one, in its constructor too; an account that was created without code is none. */
function becomesContract(frame: Json): boolean {
  if (!/^CREATE/.test(frame.type)) return false
  const isDestroyed = below(frame).some(
    (inner) => !inner.failed && inner.frame.type === 'SELFDESTRUCT' && inner.frame.from === frame.to,
  )
  return isDestroyed || (frame.output ?? '0x') !== '0x'
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

function transfersOf({ raw, transaction }: LogFact): TransferFact[] {
  const [topic, ...indexed] = raw.topics as Hex[]
  const side = (place: number): Hex => `0x${indexed[place]!.slice(26)}`
  const base = { transaction, token: raw.address as Hex }
  if (topic === TRANSFER && indexed.length === 2) {
    return [{ ...base, kind: 20, from: side(0), to: side(1), amount: BigInt(raw.data), tokenId: undefined }]
  }
  if (topic === TRANSFER && indexed.length === 3) {
    return [{ ...base, kind: 721, from: side(0), to: side(1), amount: 1n, tokenId: BigInt(indexed[2]!) }]
  }
  if (topic === TRANSFER_SINGLE) {
    const [tokenId, amount] = decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], raw.data)
    return [{ ...base, kind: 1155, from: side(1), to: side(2), amount, tokenId }]
  }
  if (topic === TRANSFER_BATCH) {
    const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], raw.data)
    return ids.map((tokenId, i) => ({ ...base, kind: 1155, from: side(1), to: side(2), amount: amounts[i]!, tokenId }))
  }
  return []
}

function namedAddresses(
  facts: Pick<NodeFacts, 'transactions' | 'transfers' | 'internals' | 'blocks'> & { alsoFunded: readonly Hex[] },
): Set<Hex> {
  const named = new Set<Hex>(facts.alsoFunded)
  for (const { raw } of facts.blocks) named.add(raw.miner)
  for (const { raw, receipt } of facts.transactions) {
    for (const address of [raw.from, raw.to, receipt.contractAddress, receipt.payer]) if (address) named.add(address)
    for (const log of receipt.logs) named.add(log.address)
  }
  for (const { from, to } of facts.transfers) named.add(from).add(to)
  for (const { frame } of facts.internals) for (const address of [frame.from, frame.to]) if (address) named.add(address)
  return named
}

const erc1155Abi = parseAbi(['function balanceOf(address, uint256) view returns (uint256)'])

type Asked = Pick<TransferFact, 'token' | 'kind'> & {
  transfers: readonly TransferFact[]
  addresses: Iterable<Hex>
}

async function tokenFact(ask: Ask, asked: Asked): Promise<TokenFact> {
  const { token, kind } = asked
  const call = callTo(ask, token, 'latest')
  return {
    address: token,
    kind,
    name: (await call<string>(erc721Abi, 'name')) ?? '',
    symbol: (await call<string>(erc721Abi, 'symbol')) ?? '',
    decimals: kind === 20 ? Number((await call<number>(erc20Abi, 'decimals')) ?? 0) : 0,
    supply: await call<bigint>(erc20Abi, 'totalSupply'),
    holders: await holdersOf(call, asked),
  }
}

/** Who held a token after a block of the past, by its contract's own words. */
export function holdersAt(url: string, facts: NodeFacts, token: TokenFact, height: number): Promise<Map<Hex, bigint>> {
  const call = callTo((method, ...params) => rpc(url, method, ...params), token.address, quantity(height))
  const { transfers, balances } = facts
  return holdersOf(call, { token: token.address, kind: token.kind, transfers, addresses: balances.keys() })
}

type Call = <T>(abi: Json, functionName: string, args?: readonly unknown[]) => Promise<T | undefined>

function callTo(ask: Ask, to: Hex, at: string): Call {
  return async (abi, functionName, args = []) => {
    const data = encodeFunctionData({ abi, functionName, args })
    const answer = await ask('eth_call', { to, data }, at).catch(() => '0x')
    return answer === '0x' ? undefined : (decodeFunctionResult({ abi, functionName, data: answer }) as never)
  }
}

async function holdersOf(call: Call, { token, kind, transfers, addresses }: Asked): Promise<Map<Hex, bigint>> {
  const holders = new Map<Hex, bigint>()
  const ids = [...new Set(transfers.filter((each) => each.token === token).map(({ tokenId }) => tokenId))]
  await sideBySide([...addresses], async (address) => {
    if (/^0x0{40}$/.test(address)) return
    let balance = 0n
    if (kind !== 1155) balance = (await call<bigint>(erc20Abi, 'balanceOf', [address])) ?? 0n
    else for (const id of ids) balance += (await call<bigint>(erc1155Abi, 'balanceOf', [address, id])) ?? 0n
    if (balance > 0n) holders.set(address, balance)
  })
  return holders
}
