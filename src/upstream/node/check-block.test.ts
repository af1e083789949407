// Recorded blocks of Ethereum and Polygon pass as they are, and with any one thing changed they do not. The recordings lie beside the
// repository; where they do not, the tests are skipped.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromQuantityToNumber, toQuantity, wordToHex } from '../../chain/bytes/hex.ts'
import { FOREIGN } from '../../chain/codec/foreign-transaction.ts'
import { checkedBlock, HeaderMismatch } from './check-block.ts'
import { BadAnswer } from './failures.ts'

const RECORDED = new URL('../../../../shared/fixtures/real-blocks/', import.meta.url)
const areThere = existsSync(RECORDED)
if (!areThere) console.log('no recorded blocks beside the repository: their tests are skipped')

const RECORDINGS = [
  'ethereum/1000000',
  'ethereum/4369999',
  'ethereum/18000000',
  'ethereum/18500000',
  'polygon/50000000',
]

describe.runIf(areThere)('a block of a node', () => {
  test.each(RECORDINGS)(
    'the block recorded at %s passes, with the size and fees that its node reported',
    (recordedAt) => {
      const { block, receipts } = recording(recordedAt)
      const checked = check({ block, receipts })
      expect(checked.hash).toBe(block.hash)
      expect(toQuantity(checked.size)).toBe(block.size)
      expect(checked.receipts.map(({ gasUsed }) => toQuantity(gasUsed))).toEqual(
        receipts.map((each: Json) => each.gasUsed),
      )
      const prices = checked.receipts.map(({ effectiveGasPrice }) => toQuantity(effectiveGasPrice))
      expect(prices).toEqual(receipts.map((each: Json) => each.effectiveGasPrice))
      const contracts = checked.receipts.map(({ contractAddress }) => contractAddress)
      expect(contracts).toEqual(receipts.map((each: Json) => each.contractAddress && BigInt(each.contractAddress)))
    },
  )

  const other = wordToHex(1n)
  const lies: [string, string, (answers: RawBlock) => void][] = [
    ['another hash', 'does not hash', ({ block }) => Object.assign(block, { hash: other })],
    ['another parent', 'does not hash', ({ block }) => Object.assign(block, { parentHash: other })],
    ['another height', 'says it is', ({ block }) => Object.assign(block, { number: '0x1' })],
    ['another time', 'does not hash', ({ block }) => Object.assign(block, { timestamp: '0x1' })],
    ['no hash', 'hash is not a string', ({ block }) => Object.assign(block, { hash: undefined })],
    ['a transaction less', 'transactions root', ({ block }) => block.transactions.pop()],
    ['transactions in another order', 'transactions root', ({ block }) => block.transactions.reverse()],
    ['another amount', 'another hash', ({ block }) => Object.assign(block.transactions[1], { value: '0x1' })],
    ['another sender', 'another sender', ({ block }) => Object.assign(block.transactions[1], { from: ADDRESS })],
    ['an impossible v', 'neither 27, 28', ({ block }) => Object.assign(legacyIn(block), { v: '0x5' })],
    ['an uncle that is none', 'uncles', ({ block }) => block.uncles.push(other)],
    ['a withdrawal less', 'withdrawals root', ({ block }) => block.withdrawals.pop()],
    ['no withdrawals', 'withdrawals are missing', ({ block }) => Object.assign(block, { withdrawals: [] })],
    ['no receipts', 'no receipts', (answers) => Object.assign(answers, { receipts: null })],
    ['a receipt less', 'receipts for', ({ receipts }) => receipts.pop()],
    ['receipts in another order', 'is not of', ({ receipts }) => receipts.reverse()],
    ['a receipt of another block', 'another block', ({ receipts }) => Object.assign(receipts[1], { blockHash: other })],
    ['a failure for a success', 'receipts root', ({ receipts }) => Object.assign(receipts[1], { status: '0x0' })],
    ['wrong gas', 'wrong gas', ({ receipts }) => Object.assign(receipts[1], { gasUsed: '0x1' })],
    ['a wrong price', 'wrong gas price', ({ receipts }) => Object.assign(receipts[1], { effectiveGasPrice: '0x1' })],
    ['a log less', 'receipts root', ({ receipts }) => receipts.find(hasLogs).logs.pop()],
    [
      'other log data',
      'receipts root',
      ({ receipts }) => Object.assign(receipts.find(hasLogs).logs[0], { data: '0x' }),
    ],
    ['an emptied bloom', 'bloom of', ({ receipts }) => emptyBloom(receipts.find(hasLogs))],
  ]

  test.each(lies)('a block with %s is refused: %s', (_, problem, lie) => {
    const answers = recording('ethereum/18500000')
    lie(answers)
    expect(() => check(answers)).toThrow(BadAnswer)
    expect(() => check(answers)).toThrow(problem)
  })

  test('a block whose header has an unknown shape is checked by everything but its hash', () => {
    const answers = recording('ethereum/18500000')
    const strange = { ...answers.block, mysteryRoot: other, hash: other }
    const receipts = answers.receipts.map((each: Json) => ({ ...each, blockHash: other }))
    expect(() => check({ block: strange, receipts })).toThrow(HeaderMismatch)
    const isStrangeShape = (shape: string) => shape.includes('mysteryRoot')
    expect(check({ block: strange, receipts }, isStrangeShape).hash).toBe(other)
    strange.transactions.pop()
    expect(() => check({ block: strange, receipts }, isStrangeShape)).toThrow('transactions root')
  })
})

// biome-ignore lint/suspicious/noExplicitAny: recordings are JSON, and the lies bend it
type Json = any
type RawBlock = { block: Json; receipts: Json }

const ADDRESS = `0x${'12'.repeat(20)}`

function check({ block, receipts }: RawBlock, isStrangeShape = (_: string) => false) {
  return checkedBlock(
    { block, receipts },
    {
      height: fromQuantityToNumber(block.number === '0x1' ? '0x2' : block.number),
      isStrangeShape,
      senderSample: Infinity,
    },
  )
}

function recording(folder: string): RawBlock {
  return {
    block: read(`${folder}/block.json`),
    receipts: read(`${folder}/receipts.json`),
  }
}

function read(path: string): Json {
  return JSON.parse(readFileSync(new URL(path, RECORDED), 'utf8'))
}

function hasLogs({ logs }: Json) {
  return logs.length > 0
}
function legacyIn({ transactions }: Json) {
  return transactions.find(({ type }: Json) => type === '0x0')
}
function emptyBloom(receipt: Json) {
  return Object.assign(receipt, { logsBloom: `0x${'00'.repeat(256)}` })
}

test.runIf(areThere)(
  'a transaction of a type that nobody here knows costs the proof of the roots, and nothing else',
  () => {
    const { block, receipts } = recording('ethereum/18500000')
    Object.assign(block.transactions[1], { type: '0x7b', feeCurrency: ADDRESS, s: undefined })
    Object.assign(receipts[1], { type: '0x7b', gatewayFee: '0x5' })
    const checked = check({ block, receipts })
    expect(checked.transactions[1]).toMatchObject({
      hash: block.transactions[1].hash,
      from: BigInt(block.transactions[1].from),
      transaction: { type: FOREIGN, typeNumber: 0x7b, value: BigInt(block.transactions[1].value) },
    })
    expect(checked.unknownTransactionFields[1]).toEqual({ feeCurrency: ADDRESS })
    expect(checked.receipts[1]!.unknownFields).toEqual({ gatewayFee: '0x5' })
    expect(toQuantity(checked.size)).toBe(block.size)
    expect(() => check({ block: { ...block, parentHash: wordToHex(1n) }, receipts })).toThrow(HeaderMismatch)
  },
)
