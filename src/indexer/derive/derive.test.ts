// Recorded blocks and traces lie beside the repository; where they do not, their tests are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { erc20Abi, erc721Abi, parseEventLogs, type Log as ViemLog } from 'viem'
import { describe, expect, test } from 'vitest'
import { FOREIGN } from '../../chain/codec/foreign-transaction.ts'
import { traceFromCallTracer } from '../../chain/trace/call-tracer-frames.ts'
import { framesFromRows } from '../../store/schema/internal-rows.ts'
import { checkedBlock } from '../../upstream/node/check-block.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { deriveBlock } from './derive.ts'
import { ZERO_ADDRESS } from './token-deltas.ts'

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)
const areThere = existsSync(FIXTURES)
if (!areThere) console.log('no recorded blocks beside the repository: what they derive to is not tested')

// biome-ignore lint/suspicious/noExplicitAny: recordings are JSON of many shapes, read once each
type Json = any

function readJson(path: string): Json {
  return JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'))
}
function listing(path: string): string[] {
  return areThere ? readdirSync(new URL(path, FIXTURES)) : []
}
function total(values: readonly bigint[]): bigint {
  return values.reduce((sum, each) => sum + each, 0n)
}

function recorded(place: string): { block: Json; receipts: Json; derived: ReturnType<typeof deriveBlock> } {
  const block = readJson(`real-blocks/${place}/block.json`)
  const receipts = readJson(`real-blocks/${place}/receipts.json`)
  const expected = { height: Number(block.number), isStrangeShape: () => false, senderSample: 0 }
  const checked = checkedBlock({ block, receipts }, expected)
  return {
    block,
    receipts,
    derived: deriveBlock({ ...checked, traces: null, noTracesReason: 'not recorded', unreadTraces: [] }),
  }
}

describe.runIf(areThere)('recorded blocks', () => {
  const places = ['ethereum', 'polygon'].flatMap((chain) => listing(`real-blocks/${chain}`).map((n) => `${chain}/${n}`))

  test.each(places)('sums and counts of recorded block %s are those of the node’s answer', (place) => {
    const { block, receipts, derived } = recorded(place)
    expect(derived.block).toMatchObject({
      height: Number(block.number),
      timestampMs: Number(block.timestamp) * 1000,
      transactionCount: block.transactions.length,
      amount: total(block.transactions.map((each: Json) => BigInt(each.value))),
      totalFee: total(receipts.map((each: Json, index: number) => feeIn(each, block.transactions[index]))),
      burnt: BigInt(block.gasUsed) * BigInt(block.baseFeePerGas ?? 0),
      internalCount: null,
    })
    const expected = block.transactions.map((each: Json, index: number) => ({
      hash: each.hash,
      sender: each.from,
      recipient: each.to,
      contractAddress: receipts[index].contractAddress,
      status: receipts[index].status === undefined ? null : Number(receipts[index].status),
      gasUsed: Number(receipts[index].gasUsed),
      input: each.input,
    }))
    expect(derived.transactions).toMatchObject(expected)
    const logs = receipts.flatMap((each: Json) => each.logs)
    expect(derived.logs.map(({ address, data }) => ({ address, data }))).toEqual(
      logs.map(({ address, data }: Json) => ({ address, data })),
    )
  })

  test.each(places)('transfers of recorded block %s are those that a decoder of the ABI finds', (place) => {
    const { receipts, derived } = recorded(place)
    const logs: ViemLog[] = receipts.flatMap((each: Json) => each.logs)
    const found = (abi: Json): Json[] => parseEventLogs({ abi, eventName: 'Transfer', logs }) as Json[]
    const coins = found(erc20Abi).map(({ address, args }) => [address, args.from, args.to, args.value])
    const collectibles = found(erc721Abi).map(({ address, args }) => [address, args.from, args.to, args.tokenId])
    const lowered = (rows: Json[][]) =>
      rows.map(([a, b, c, value]) => [a, b, c].map((x) => x.toLowerCase()).concat(value))
    const derivedOf = (wanted: number) => derived.transfers.filter(({ kind }) => kind === wanted)
    expect(derivedOf(20).map((row) => [row.token, row.sender, row.recipient, row.amount])).toEqual(lowered(coins))
    expect(derivedOf(721).map((row) => [row.token, row.sender, row.recipient, row.tokenId])).toEqual(
      lowered(collectibles),
    )
  })

  test.each(places)('balances gain in recorded block %s what was minted less what was burnt', (place) => {
    const { derived } = recorded(place)
    for (const token of derived.tokens.keys()) {
      const own = derived.transfers.filter((row) => row.token === token)
      const minted = total(own.filter(({ sender }) => sender === ZERO_ADDRESS).map(({ amount }) => amount))
      const burnt = total(own.filter(({ recipient }) => recipient === ZERO_ADDRESS).map(({ amount }) => amount))
      const gained = total(derived.tokenDeltas.filter((row) => row.token === token).map(({ delta }) => delta))
      expect(gained).toBe(minted - burnt)
    }
  })
})

/** Before London receipts carry no price. */
function feeIn(receipt: Json, { gasPrice }: Json): bigint {
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? gasPrice)
}

describe.runIf(areThere)('recorded call trees', () => {
  const callTraces = listing('call-traces/call_tracer').filter((name) => name.endsWith('.json'))

  test.each(callTraces)(
    '%s: every frame but the outermost is an internal transaction, in order, undone with its callers',
    (name) => {
      const { result } = readJson(`call-traces/call_tracer/${name}`)
      const { internals } = deriveBlock(blockWith(result))
      expect(
        internals.map(({ operation, sender, value, depth, status }) => [operation, sender, value, depth, status]),
      ).toEqual(flat(result, 1, result.error !== undefined))
    },
  )

  test.each(callTraces.filter((name) => readJson(`call-traces/call_tracer/${name}`).result.type === 'CALL'))(
    '%s: calls that are built from stored rows derive to the same rows',
    (name) => {
      const block = blockWith(readJson(`call-traces/call_tracer/${name}`).result)
      const derived = deriveBlock(block)
      const created = new Set(derived.created.map(({ address }) => address))
      const traces = framesFromRows({ ...derived, created })
      expect(deriveBlock({ ...block, traces })).toEqual(derived)
    },
  )
})

test('the miner of a mined block takes part even where there are no transactions', () => {
  const simple = {
    type: 'CALL',
    from: ZERO_ADDRESS,
    to: ZERO_ADDRESS,
    value: '0x0',
    gas: '0x0',
    gasUsed: '0x0',
    input: '0x',
  }
  const empty: NodeBlock = { ...blockWith(simple), transactions: [], receipts: [], traces: [] }
  const withDifficulty = (difficulty: bigint) => ({ ...empty, header: { ...empty.header, miner: 0x99n, difficulty } })
  const miner = `0x${'99'.padStart(40, '0')}`
  expect(deriveBlock(withDifficulty(1n)).nativeChanges).toEqual(new Map([[miner, 0n]]))
  expect(deriveBlock(withDifficulty(0n)).nativeChanges).toEqual(new Map())
})

test('a block with a transaction of an unknown type changes balances in a way that only the node knows', () => {
  const simple = { type: 'CALL', from: '0x01', to: '0x02', value: '0x5', gas: '0x0', gasUsed: '0x0', input: '0x' }
  const block = blockWith({ ...simple, from: `0x${'01'.repeat(20)}`, to: `0x${'02'.repeat(20)}` })
  const own = { type: FOREIGN, typeNumber: 0x7b, nonce: 3n, gasLimit: 9n, to: null, value: 5n, data: new Uint8Array() }
  const derived = deriveBlock({
    ...block,
    transactions: [{ ...block.transactions[0]!, raw: undefined, transaction: own }],
    unknownTransactionFields: [{ payer: '0x03' }],
  })
  expect(derived.nativeChanges).toBeNull()
  expect(derived.unseenMoves).toEqual([{ height: 7, transactionType: 0x7b }])
  expect(deriveBlock(block).unseenMoves).toEqual([])
  expect(derived.transactions[0]).toMatchObject({
    type: 0x7b,
    nonce: 3,
    value: 5n,
    contractAddress: null,
    unknownFields: '{"payer":"0x03"}',
  })
})

test('the highest tip of a block is what a sender offered at most, whatever the base fee left of it', () => {
  const simple = {
    type: 'CALL',
    from: ZERO_ADDRESS,
    to: ZERO_ADDRESS,
    value: '0x0',
    gas: '0x0',
    gasUsed: '0x0',
    input: '0x',
  }
  const block = blockWith(simple)
  const [legacy, receipt] = [block.transactions[0]!, block.receipts[0]!]
  const capped = { ...legacy, transaction: { ...legacy.transaction, type: 2, maxPriorityFeePerGas: 9n } }
  const derived = deriveBlock({
    ...block,
    header: { ...block.header, baseFeePerGas: 10n },
    transactions: [legacy, capped] as NodeBlock['transactions'],
    // 5 above the base fee, and 2.
    receipts: [
      { ...receipt, effectiveGasPrice: 15n },
      { ...receipt, effectiveGasPrice: 12n },
    ],
    traces: [block.traces![0]!, block.traces![0]!],
  })
  expect(derived.block.maxTip).toBe(9n)
})

function flat(frame: Json, depth: number, isUndone: boolean): Json[] {
  return (frame.calls ?? []).flatMap((call: Json) => {
    const undone = isUndone || call.error !== undefined
    const row = [call.type.toLowerCase(), call.from, BigInt(call.value ?? 0), depth, undone ? 0 : 1]
    return [row, ...flat(call, depth + 1, undone)]
  })
}

/** One transaction that ran so; what the header says of it does not matter in these tests. */
function blockWith(trace: Json): NodeBlock {
  const frame = traceFromCallTracer(trace).frame!
  const bytes = new Uint8Array(0)
  const transaction = { type: 0, to: frame.to, value: frame.value, data: frame.input, nonce: 0n, gasLimit: 0n }
  const receipt = { type: 0, status: frame.error === null ? 1 : 0, logs: [], cumulativeGasUsed: 0n, logsBloom: bytes }
  const fees = { gasUsed: 0n, effectiveGasPrice: 0n, l1Fee: 0n, operatorFee: 0n, blobFee: 0n, contractAddress: null }
  return {
    hash: `0x${'00'.repeat(32)}`,
    header: { number: 7, timestamp: 0, miner: 0n, extraData: bytes, gasUsed: 0n, gasLimit: 0n, difficulty: 0n },
    size: 0,
    isOp: false,
    transactions: [{ transaction, hash: `0x${'00'.repeat(32)}`, from: frame.from, raw: bytes }],
    uncles: [],
    withdrawals: [],
    receipts: [{ receipt, ...fees }],
    traces: [frame],
    noTracesReason: null,
    unreadTraces: [],
    timestampMs: 0,
    unknownFields: undefined,
    unknownTransactionFields: [],
  } as unknown as NodeBlock
}
