// Small chains as rows, generated from a seed: few addresses, few tokens, so that everything meets everything.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { positionOf } from '../../src/store/schema/position.ts'
import {
  type BlockRow,
  type BlockRows,
  type InternalRow,
  type LogRow,
  OPERATIONS,
  type TokenDeltaRow,
  type TokenKind,
  type TransactionRow,
  type TransferRow,
} from '../../src/store/schema/rows.ts'

export function hexOf(bytes: number, value: number | bigint): Hex {
  return `0x${value.toString(16).padStart(bytes * 2, '0')}`
}

export const ADDRESSES = Array.from({ length: 6 }, (_, i) => hexOf(20, 0xa0 + i))
export const TOKENS: readonly { address: Hex; kind: TokenKind }[] = [
  { address: hexOf(20, 0x7020), kind: 20 },
  { address: hexOf(20, 0x7021), kind: 20 },
  { address: hexOf(20, 0x7721), kind: 721 },
  { address: hexOf(20, 0x7155), kind: 1155 },
]
export const TOPICS = [hexOf(32, 1), hexOf(32, 2)]
const ETHER = 10n ** 18n
const GENESIS_MS = 1_700_000_000_000

export function blockOf(height: number, changes: Partial<BlockRow> = {}): BlockRow {
  return {
    height,
    hash: hexOf(32, 0xb0000 + height),
    parentHash: hexOf(32, 0xb0000 + height - 1),
    timestampMs: GENESIS_MS + height * 2_000,
    miner: ADDRESSES[0]!,
    size: 1_000,
    gasUsed: 21_000,
    gasLimit: 30_000_000,
    baseFeePerGas: 7n,
    difficulty: 0n,
    nonce: hexOf(8, 0),
    extraData: '0x',
    stateRoot: hexOf(32, 3),
    transactionsRoot: hexOf(32, 4),
    receiptsRoot: hexOf(32, 5),
    ommerCount: 0,
    amount: 0n,
    totalFee: 0n,
    burnt: 0n,
    reward: 0n,
    maxTip: 0n,
    transactionCount: 0,
    internalCount: 0,
    token20Count: 0,
    token721Count: 0,
    token1155Count: 0,
    unknownFields: null,
    ...changes,
  }
}

export function transactionOf(height: number, index: number, changes: Partial<TransactionRow> = {}): TransactionRow {
  return {
    pos: positionOf(height, index),
    hash: hexOf(32, BigInt(positionOf(height, index)) + (1n << 200n)),
    sender: ADDRESSES[0]!,
    recipient: ADDRESSES[1]!,
    contractAddress: null,
    value: 0n,
    fee: 21_000n,
    l1Fee: null,
    nonce: index,
    type: 2,
    status: 1,
    gasLimit: 21_000,
    gasUsed: 21_000,
    gasPrice: 1n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    method: '0x',
    error: null,
    sourceHash: null,
    mint: null,
    input: '0x',
    unknownFields: null,
    ...changes,
  }
}

export function emptyRows(block: BlockRow): BlockRows {
  return {
    block,
    transactions: [],
    logs: [],
    transfers: [],
    internals: [],
    traceGaps: [],
    unseenMoves: [],
    contracts: [],
    tokens: [],
    supplies: [],
    nativeBalances: [],
    tokenDeltas: [],
  }
}

/** Heights `first` to `last`; the same seed gives the same blocks at the same heights. */
export function randomChain({ seed, first = 0, last }: { seed: number; first?: number; last: number }): BlockRows[] {
  return Array.from({ length: last - first + 1 }, (_, i) => randomBlock(seed, first + i))
}

function randomBlock(seed: number, height: number): BlockRows {
  const below = randomNumbers(seed * 1_000_003 + height)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  const transactions: TransactionRow[] = []
  const logs: LogRow[] = []
  const transfers: TransferRow[] = []
  const internals: InternalRow[] = []
  for (let index = below(4); index > 0; index--) {
    const creates = below(6) === 0
    const tx = transactionOf(height, transactions.length, {
      hash: hexOf(32, (BigInt(seed) << 100n) + BigInt(positionOf(height, transactions.length))),
      sender: pick(ADDRESSES),
      recipient: creates ? null : pick(ADDRESSES),
      contractAddress: creates ? hexOf(20, 0xc0000 + height * 16 + index) : null,
      value: BigInt(below(300)) * ETHER,
      method: pick(['0x', '0xa9059cbb']),
      status: pick([0, 1, 1]),
      input: pick(['0x', '0xa9059cbb00']),
    })
    transactions.push(tx)
    for (let i = below(4); i > 0; i--) {
      const token = pick(TOKENS)
      logs.push({
        pos: positionOf(height, logs.length),
        txPos: tx.pos,
        address: token.address,
        topic0: pick([...TOPICS, null]),
        topic1: null,
        topic2: null,
        topic3: null,
        data: '0x01',
      })
      transfers.push({
        pos: positionOf(height, transfers.length),
        txPos: tx.pos,
        logIndex: logs.length - 1,
        kind: token.kind,
        token: token.address,
        sender: pick(ADDRESSES),
        recipient: pick(ADDRESSES),
        amount: token.kind === 721 ? 1n : BigInt(below(1_000)),
        tokenId: token.kind === 20 ? null : BigInt(below(3)),
      })
    }
    for (let i = below(3); i > 0; i--) {
      internals.push({
        pos: positionOf(height, internals.length),
        txPos: tx.pos,
        depth: 1,
        operation: pick(OPERATIONS),
        sender: pick(ADDRESSES),
        recipient: pick([...ADDRESSES, null]),
        value: BigInt(below(5)),
        gas: below(100),
        gasUsed: 1,
        status: 1,
        error: pick([null, 'out of gas']),
      })
    }
  }
  const kindCount = (kind: TokenKind) => transfers.filter((row) => row.kind === kind).length
  return {
    block: blockOf(height, {
      hash: hexOf(32, (BigInt(seed) << 100n) + BigInt(height)),
      parentHash: height === 0 ? hexOf(32, 0) : hexOf(32, (BigInt(seed) << 100n) + BigInt(height - 1)),
      transactionCount: transactions.length,
      internalCount: internals.length,
      token20Count: kindCount(20),
      token721Count: kindCount(721),
      token1155Count: kindCount(1155),
    }),
    transactions,
    logs,
    transfers,
    internals,
    traceGaps: [],
    unseenMoves: [],
    contracts: transactions.flatMap(({ contractAddress, pos, sender }) =>
      contractAddress === null ? [] : { address: contractAddress, height, txPos: pos, creator: sender },
    ),
    tokens: [...new Set(transfers.map(({ token }) => token))].map((address) => ({
      address,
      kind: TOKENS.find((token) => token.address === address)!.kind,
      height,
      issuedMs: GENESIS_MS + height,
      name: `seen at ${height}`,
      symbol: null,
      decimals: 18,
    })),
    supplies: below(3) === 0 ? [{ token: pick(TOKENS).address, height, supply: BigInt(below(1_000)) }] : [],
    nativeBalances: ADDRESSES.filter(() => below(3) === 0).map((address) => ({
      address,
      height,
      balance: BigInt(below(4)) * ETHER,
    })),
    tokenDeltas: deltasOf(height, transfers),
  }
}

function deltasOf(height: number, transfers: readonly TransferRow[]): TokenDeltaRow[] {
  const deltas = new Map<string, TokenDeltaRow>()
  for (const { token, tokenId, sender, recipient, amount } of transfers) {
    for (const [address, change] of [
      [sender, -amount],
      [recipient, amount],
    ] as const) {
      const key = `${token}${address}${tokenId}`
      deltas.set(key, { height, token, address, tokenId, delta: (deltas.get(key)?.delta ?? 0n) + change })
    }
  }
  return [...deltas.values()]
}

/** Numbers below a bound, the same for the same seed. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
