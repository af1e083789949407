// A chain of one million transactions as rows, the same on every run: 5,000 blocks of 200. Addresses and tokens are skewed as they
// are in the world (Zipf): a few are in everything, most are seen once.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { positionOf } from '../../src/store/schema/position.ts'
import type {
  BlockRows,
  InternalRow,
  LogRow,
  TokenDeltaRow,
  TransactionRow,
  TransferRow,
} from '../../src/store/schema/rows.ts'

export const BLOCKS = 5_000
const TRANSACTIONS_A_BLOCK = 200
const ADDRESSES = 400_000
const TOKENS = 3_000
const ETHER = 10n ** 18n
const GENESIS_MS = 1_700_000_000_000
const BLOCK_MS = 2_000
const TRANSFER: Hex = `0x${'dd'.repeat(32)}`

/** The most active first. */
export function addressOf(rank: number): Hex {
  return `0x${(rank * 2_654_435_761).toString(16).padStart(40, 'a')}`
}
export function tokenOf(rank: number): Hex {
  return `0x${(rank * 40_503).toString(16).padStart(40, 'c')}`
}

export function blockRowsAt(height: number): BlockRows {
  const below = randomNumbers(height)
  /** Close to Zipf with exponent 1: ranks are uniform on a logarithmic scale. */
  const skewed = (count: number): number => Math.floor(Math.exp((below(1_000_000) / 1_000_000) * Math.log(count))) - 1
  const balances = new Map<Hex, bigint>()
  const transactions: TransactionRow[] = []
  const logs: LogRow[] = []
  const transfers: TransferRow[] = []
  const internals: InternalRow[] = []
  for (let index = 0; index < TRANSACTIONS_A_BLOCK; index++) {
    const pos = positionOf(height, index)
    const token = below(2) === 0 ? tokenOf(skewed(TOKENS)) : undefined
    const [sender, other] = [addressOf(skewed(ADDRESSES)), addressOf(skewed(ADDRESSES))]
    for (const address of [sender, other]) balances.set(address, BigInt(1 + below(1_000_000_000)) * 10n ** 12n)
    const input: Hex = token ? `0xa9059cbb${other.slice(2).padStart(64, '0')}${'0'.repeat(48)}0de0b6b3a7640000` : '0x'
    transactions.push({
      pos,
      hash: hashOf(1, pos),
      sender,
      recipient: token ?? other,
      contractAddress: null,
      value: token
        ? 0n
        : below(40) === 0
          ? BigInt(100 + below(900)) * ETHER + 1n
          : BigInt(below(1_000_000)) * 10n ** 12n,
      fee: BigInt(21_000 + below(100_000)) * 1_000_000n,
      l1Fee: BigInt(below(1_000_000)) * 1_000n,
      nonce: height,
      type: 2,
      status: below(50) === 0 ? 0 : 1,
      gasLimit: 100_000,
      gasUsed: 21_000 + below(50_000),
      gasPrice: 1_000_000n + BigInt(below(1_000_000)),
      maxFeePerGas: 3_000_000n,
      maxPriorityFeePerGas: 1_000n,
      method: token ? '0xa9059cbb' : '0x',
      error: null,
      sourceHash: null,
      mint: null,
      input,
      unknownFields: null,
    })
    if (token) {
      const amount = BigInt(1 + below(1_000_000)) * 10n ** 15n
      transfers.push({
        pos: positionOf(height, transfers.length),
        txPos: pos,
        logIndex: logs.length,
        kind: 20,
        token,
        sender,
        recipient: other,
        amount,
        tokenId: null,
      })
      logs.push({
        pos: positionOf(height, logs.length),
        txPos: pos,
        address: token,
        topic0: TRANSFER,
        topic1: wordOf(sender),
        topic2: wordOf(other),
        topic3: null,
        data: `0x${amount.toString(16).padStart(64, '0')}`,
      })
      if (below(4) === 0) {
        internals.push({
          pos: positionOf(height, internals.length),
          txPos: pos,
          depth: 1,
          operation: 'call',
          sender: token,
          recipient: other,
          value: 1_000n,
          gas: 50_000,
          gasUsed: 2_300,
          status: 1,
          error: null,
        })
      }
    }
  }
  const sum = (field: 'fee' | 'value') => transactions.reduce((total, row) => total + row[field], 0n)
  const timestampMs = GENESIS_MS + height * BLOCK_MS
  return {
    block: {
      height,
      hash: hashOf(2, height),
      parentHash: hashOf(2, height - 1),
      timestampMs,
      miner: addressOf(0),
      size: 60_000,
      gasUsed: 10_000_000,
      gasLimit: 60_000_000,
      baseFeePerGas: 1_000_000n,
      difficulty: 0n,
      nonce: '0x0000000000000000',
      extraData: '0x',
      stateRoot: hashOf(3, height),
      transactionsRoot: hashOf(4, height),
      receiptsRoot: hashOf(5, height),
      ommerCount: 0,
      amount: sum('value'),
      totalFee: sum('fee'),
      burnt: 0n,
      reward: 0n,
      maxTip: 1_000n,
      transactionCount: transactions.length,
      internalCount: internals.length,
      token20Count: transfers.length,
      token721Count: 0,
      token1155Count: 0,
      unknownFields: null,
    },
    transactions,
    logs,
    transfers,
    internals,
    traceGaps: [],
    unseenMoves: [],
    contracts:
      height === 0 ? tokenRanks.map((rank) => ({ address: tokenOf(rank), height, txPos: null, creator: null })) : [],
    tokens: height === 0 ? tokenRanks.map((rank) => ({ ...tokenRow(rank), height, issuedMs: timestampMs })) : [],
    supplies: [],
    nativeBalances: [...balances].map(([address, balance]) => ({ address, height, balance })),
    tokenDeltas: deltasOf(height, transfers),
  }
}

const tokenRanks = Array.from({ length: TOKENS }, (_, rank) => rank)

function tokenRow(rank: number) {
  return {
    address: tokenOf(rank),
    kind: 20 as const,
    name: `Token ${rank}`,
    symbol: `T${rank}`,
    decimals: 18,
  }
}

/** Spread evenly over the index, like hashes. */
function hashOf(kind: number, number: number): Hex {
  return `0x${((BigInt(number + 1) * 0x9e3779b97f4a7c15f39cc0605cedc835n + BigInt(kind)) % 2n ** 256n).toString(16).padStart(64, String(kind)).split('').reverse().join('')}`
}

function wordOf(address: Hex): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`
}

function deltasOf(height: number, transfers: readonly TransferRow[]): TokenDeltaRow[] {
  const deltas = new Map<string, TokenDeltaRow>()
  for (const { token, sender, recipient, amount } of transfers) {
    for (const [address, change] of [
      [sender, -amount],
      [recipient, amount],
    ] as const) {
      const earlier = deltas.get(token + address)?.delta ?? 0n
      deltas.set(token + address, { height, token, address, tokenId: null, delta: earlier + change })
    }
  }
  return [...deltas.values()]
}

function randomNumbers(seed: number): (bound: number) => number {
  let state = (seed * 0x9e3779b1) >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
