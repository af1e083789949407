// What the flow over a devnet cannot show: chains of another age, contracts of another mind.
import { describe, expect, test } from 'vitest'
import { blockOf, transactionOf } from '../../../test/support/chain-rows.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Token } from '../../store/read/tokens.ts'
import type { RecordView } from '../state/chain-context.ts'
import { blockDetail, blockListItem } from './block-record.ts'
import { internalDetailRecord } from './internal-record.ts'
import { tokenBalanceRecord, tokenRecord } from './token-record.ts'
import { addressTransactionRecord, normalTransactionRecord } from './transaction-record.ts'
import { tokenTransferRecord } from './transfer-record.ts'

const CONTRACT: Hex = `0x${'cc'.repeat(20)}`
const PERSON: Hex = `0x${'aa'.repeat(20)}`

function viewOf(changes: Partial<RecordView> = {}): RecordView {
  return {
    names: { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' },
    heads: { latest: 100, safe: null, finalized: null },
    nowMs: 10_000_000,
    challengePeriodMs: 0,
    tokenAt: () => ({ name: null, symbol: null, decimals: null }),
    isContract: (address) => address === CONTRACT,
    mayBeContract: () => false,
    ...changes,
  }
}

const block = { height: 40, hash: `0x${'bb'.repeat(32)}` as Hex, timestampMs: 9_000_000 }
function transaction(changes: Parameters<typeof transactionOf>[2] = {}) {
  const { input: _, ...row } = transactionOf(40, 0, changes)
  return { ...row, block }
}

describe('a block', () => {
  test('a block without base fee, transactions, traces and safe head leaves those fields empty or 0', () => {
    const row = blockOf(40, {
      baseFeePerGas: null,
      transactionCount: 0,
      gasUsed: 0,
      totalFee: 0n,
      internalCount: null,
      nonce: '0xe246c1795e5cc38f',
      difficulty: 8518354788907n,
      reward: 5n * 10n ** 18n,
    })
    expect(blockListItem(viewOf(), row)).toMatchObject({ avgFee: '0', gasAvgPrice: '0', state: '', mineReward: '5' })
    expect(blockDetail(viewOf(), row)).toMatchObject({
      baseFeePerGas: '',
      txnInternal: '',
      nonce: 'e246c1795e5cc38f',
      difficulty: '8518354788907',
      difficuity: '8518354788907',
      confirm: '60',
    })
  })
})

describe('a transaction', () => {
  test('a transaction to an address that may have been a contract says so, and any other says nothing', () => {
    const row = transaction({ recipient: PERSON })
    expect(normalTransactionRecord(viewOf(), row)).not.toHaveProperty('isContractExact')
    const view = viewOf({ mayBeContract: (address) => address === PERSON })
    expect(normalTransactionRecord(view, row)).toMatchObject({ isToContract: false, isContractExact: false })
    expect(normalTransactionRecord(view, { ...row, sender: CONTRACT, recipient: null })).not.toHaveProperty(
      'isContractExact',
    )
  })

  test('a transaction that creates a contract has no recipient, is to a contract, and names it', () => {
    const row = transaction({ recipient: null, contractAddress: CONTRACT, sender: PERSON, method: '0x60806040' })
    expect(normalTransactionRecord(viewOf(), row)).toMatchObject({
      to: '',
      isFromContract: false,
      isToContract: true,
      contractAddress: CONTRACT,
      methodId: '0x60806040',
    })
  })

  test('a transaction has the state of its receipt and the stage of its block', () => {
    const stateOf = (status: 0 | 1 | null) => normalTransactionRecord(viewOf(), transaction({ status })).state
    expect([stateOf(1), stateOf(0), stateOf(null)]).toEqual(['success', 'fail', 'success'])
    const stageWith = (safe: number | null, finalized: number | null) =>
      normalTransactionRecord(viewOf({ heads: { latest: 100, safe, finalized } }), transaction()).stage
    expect([stageWith(null, null), stageWith(39, 0), stageWith(40, 0), stageWith(90, 40)]).toEqual([
      'included',
      'included',
      'safe',
      'finalized',
    ])
  })

  test('a transaction is in its challenge period until that is over', () => {
    const statusWith = (challengePeriodMs: number) =>
      addressTransactionRecord(viewOf({ challengePeriodMs }), transaction()).challengeStatus
    expect([statusWith(0), statusWith(1_000_001), statusWith(1_000_000)]).toEqual([
      '',
      'inChallengePeriod',
      'finalized',
    ])
  })

  test('a transaction without call data has no method', () => {
    expect(normalTransactionRecord(viewOf(), transaction({ method: '0x' })).methodId).toBe('')
  })
})

const stamp = { hash: `0x${'dd'.repeat(32)}` as Hex, method: '0xa9059cbb' as Hex, status: 1, type: 2, fee: 1n } as const

test('a creation that failed inside a transaction has no recipient', () => {
  const row = {
    pos: 0,
    txPos: 0,
    depth: 1,
    operation: 'create2' as const,
    sender: CONTRACT,
    recipient: null,
    value: 7n,
    gas: 1,
    gasUsed: 1,
    status: 0 as const,
    error: 'out of gas',
    block,
    transaction: stamp,
  }
  expect(internalDetailRecord(viewOf(), row)).toMatchObject({
    operation: 'create2',
    to: '',
    isToContract: true,
    amount: '0.000000000000000007',
    state: 'fail',
  })
})

describe('a token', () => {
  const token = (changes: Partial<Token>): Token => ({
    address: CONTRACT,
    kind: 20,
    height: 1,
    issuedMs: 5,
    name: null,
    symbol: null,
    decimals: null,
    transfers: 3,
    holders: 2,
    total: 0n,
    check: { source: 'unconfirmed', height: -1, readSince: 0, supply: null },
    supply: null,
    market: null,
    ...changes,
  })

  test('a token without metadata has an integer precision and empty names', () => {
    expect(tokenRecord(token({}))).toMatchObject({
      tokenFullName: '',
      token: '',
      precision: '0',
      totalSupply: '',
      addressCount: '2',
      price: '',
      totalMarketCap: '',
      transactionAmount24h: '',
    })
  })

  test('a token of collectibles counts pieces, whatever decimals it claims', () => {
    const collectible = token({ kind: 721, decimals: 18, supply: 12n })
    expect(tokenRecord(collectible)).toMatchObject({ precision: '0', totalSupply: '12' })
    expect(
      tokenBalanceRecord(collectible, { token: CONTRACT, balance: 1n, tokenId: 77n, readHeight: null }),
    ).toMatchObject({
      tokenType: 'ERC721',
      protocolType: 'token_721',
      holdingAmount: '1',
      tokenId: '77',
    })
    const transfer = {
      pos: 0,
      txPos: 0,
      logIndex: 0,
      kind: 721 as const,
      token: CONTRACT,
      sender: PERSON,
      recipient: PERSON,
      amount: 1n,
      tokenId: 77n,
      block,
      transaction: stamp,
    }
    const view = viewOf({ tokenAt: () => ({ name: null, symbol: null, decimals: 18 }) })
    expect(tokenTransferRecord(view, transfer)).toMatchObject({ amount: '1', tokenId: '77', transactionSymbol: '' })
  })

  test('a token with a price is worth its exact product', () => {
    const market = {
      token: CONTRACT,
      price: '0.0000001',
      marketCap: 1e-7,
      volume24h: 0,
      circulatingSupply: '5',
      tvl: null,
      website: null,
      logoUrl: null,
    }
    const priced = token({ decimals: 18, supply: 10n ** 18n, market })
    expect(tokenRecord(priced)).toMatchObject({
      price: '0.0000001',
      totalMarketCap: '0.0000001',
      transactionAmount24h: '0',
      circulatingSupply: '5',
    })
    expect(
      tokenBalanceRecord(priced, { token: CONTRACT, balance: 15n * 10n ** 17n, tokenId: null, readHeight: null })
        .valueUsd,
    ).toBe('0.00000015')
  })
})
