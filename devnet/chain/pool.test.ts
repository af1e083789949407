import { describe, expect, test } from 'vitest'
import { bytesToHex } from '../../src/chain/bytes/hex.ts'
import { encodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import type { DevnetChain } from './chain.ts'
import { createTestChain, developer, send, signed, type TestTransaction } from './chain-for-tests.ts'
import { TransactionPool } from './pool.ts'

const GWEI = 1_000_000_000n

function refusal(chain: DevnetChain, raw: Uint8Array): string {
  const answer = chain.pool.add(raw)
  return answer.type === 'refused' ? answer.message : 'not refused'
}

function refusalOf(chain: DevnetChain, request: TestTransaction) {
  return refusal(chain, signed(request).raw)
}

function hashesIn(chain: DevnetChain) {
  return chain
    .pending()
    .transactions.slice(1)
    .map(({ recovered }) => recovered.hash)
}

function smallPool(chain: DevnetChain, limits: { total: number; perSender: number }) {
  return new TransactionPool({
    state: () => chain.stateAt('pending')!,
    env: () => chain.envOf(chain.head().header),
    nonceOf: () => 0n,
    isPreconfirmed: () => false,
    onAdded: () => undefined,
    ownRules: false,
    limits,
  })
}

describe('refusals of the pool', () => {
  const { chain } = createTestChain()

  test.each<[why: string, request: TestTransaction, text: RegExp]>([
    ['a transaction of another chain', { chainId: 1n }, /^invalid chain id for signer/],
    ['more gas than a block has', { gas: 60_000_001n }, /^exceeds block gas limit/],
    ['less gas than the transaction costs by itself', { gas: 20_999n }, /^intrinsic gas too low/],
    ['what the sender cannot pay', { value: 10n ** 23n }, /^insufficient funds for gas \* price \+ value/],
    ['a tip above the whole fee', { tip: 4n * GWEI }, /^max priority fee per gas higher than max fee per gas/],
    [
      'init code that is too long',
      { to: null, data: new Uint8Array(49_153), gas: 10_000_000n },
      /^max initcode size exceeded/,
    ],
    ['more bytes than others pass on', { data: new Uint8Array(131_072), gas: 10_000_000n }, /^oversized data/],
  ])('%s', (_, request, text) => {
    expect(refusalOf(chain, request)).toMatch(text)
  })

  test('the pool refuses bytes that are no transaction', () => {
    expect(refusal(chain, Uint8Array.of(0xc0))).toMatch(/^RLP: /)
    expect(refusal(chain, new Uint8Array())).toMatch(/^RLP: /)
  })

  test('the pool refuses a signature that no sender fits', () => {
    const { transaction } = signed()
    if (transaction.type !== 2) throw new Error('expected the usual type')
    const raw = encodeTransaction({ ...transaction, signature: { ...transaction.signature, r: 0n } })
    expect(refusal(chain, raw)).toBe('invalid sender')
  })

  test('the pool refuses a deposit', () => {
    chain.step()
    expect(refusal(chain, chain.pending().transactions[0]!.recovered.raw)).toBe('transaction type not supported')
  })

  test('the pool refuses what it has already, what is preconfirmed, and what is in a block', () => {
    const { raw } = signed({ from: 1 })
    expect(chain.pool.add(raw).type).toBe('added')
    expect(refusal(chain, raw)).toBe('already known')
    chain.step()
    expect(refusal(chain, raw)).toBe('already known')
    chain.seal()
    expect(refusal(chain, raw)).toBe('nonce too low: next nonce 1, tx nonce 0')
  })
})

describe('a pool that is full', () => {
  test('a pool that is full gives up the cheapest for one that pays more, and refuses one that does not', () => {
    const { chain } = createTestChain()
    const pool = smallPool(chain, { total: 3, perSender: 2 })
    const add = (request: TestTransaction) => pool.add(signed(request).raw)
    add({ from: 0, maxFee: 3n * GWEI })
    const cheapest = signed({ from: 1, maxFee: 2n * GWEI })
    pool.add(cheapest.raw)
    add({ from: 2, maxFee: 4n * GWEI })
    expect(add({ from: 3, maxFee: 2n * GWEI })).toMatchObject({ message: expect.stringContaining('underpriced') })
    expect(add({ from: 3, maxFee: 3n * GWEI }).type).toBe('added')
    expect(pool.get(cheapest.hash)).toBeNull()
    expect(pool.status()).toEqual({ pending: 3, queued: 0 })
  })

  test('a pool that is full has a limit for each sender', () => {
    const { chain } = createTestChain()
    const pool = smallPool(chain, { total: 9, perSender: 2 })
    const answers = [0, 1, 2].map((nonce) => pool.add(signed({ nonce }).raw))
    expect(answers[2]).toEqual({ type: 'refused', message: 'account limit exceeded: 2 waiting' })
    // A replacement takes no room.
    expect(pool.add(signed({ nonce: 1, tip: 2n * GWEI, maxFee: 9n * GWEI }).raw).type).toBe('added')
  })
})

describe('the pool', () => {
  test('the pool replaces a transaction for a tenth more of both fees, and not for less', () => {
    const { chain } = createTestChain()
    const first = send(chain, { tip: GWEI, maxFee: 2n * GWEI })
    const text = 'replacement transaction underpriced'
    expect(refusalOf(chain, { tip: 2n * GWEI, maxFee: 2n * GWEI + 1n })).toBe(text)
    expect(refusalOf(chain, { tip: GWEI + 1n, maxFee: 4n * GWEI })).toBe(text)
    const second = send(chain, { tip: (GWEI * 11n) / 10n, maxFee: (GWEI * 22n) / 10n })
    expect(chain.pool.get(first)).toBeNull()
    chain.step()
    expect(hashesIn(chain)).toEqual([second])
  })

  test('the pool gives the best tip first, one sender in the order of nonces, and the earlier of two alike', () => {
    const { chain } = createTestChain()
    const second = send(chain, { from: 0, nonce: 1, tip: 2n * GWEI, maxFee: 9n * GWEI })
    const first = send(chain, { from: 0, nonce: 0, tip: GWEI / 2n, maxFee: 9n * GWEI })
    const middle = send(chain, { from: 1, tip: GWEI })
    const later = send(chain, { from: 2, tip: GWEI })
    // The limit leaves half of this tip.
    const capped = send(chain, { from: 3, tip: 2n * GWEI, maxFee: 2n * GWEI })
    chain.step()
    expect(hashesIn(chain)).toEqual([capped, middle, later, first, second])
  })

  test('the pool keeps what a nonce is missing for apart, until the nonce comes', () => {
    const { chain } = createTestChain()
    send(chain, { nonce: 2 })
    send(chain, { nonce: 0 })
    expect(chain.pool.status()).toEqual({ pending: 1, queued: 1 })
    expect(chain.pool.nextNonce(developer(0))).toBe(1n)
    chain.step()
    expect(chain.pool.status()).toEqual({ pending: 0, queued: 1 })
    send(chain, { nonce: 1 })
    expect(chain.pool.nextNonce(developer(0))).toBe(3n)
    expect(
      chain.pool
        .content()
        .pending.get(developer(0))!
        .map(({ transaction }) => Number((transaction as { nonce: bigint }).nonce)),
    ).toEqual([1, 2])
    chain.step()
    expect(hashesIn(chain).length).toBe(3)
  })

  test('the pool lets wait who pays less than the base fee', () => {
    const { chain, clock } = createTestChain()
    const baseFee = chain.nextBaseFee()
    const hash = send(chain, { tip: 0n, maxFee: (baseFee * 99n) / 100n })
    chain.seal()
    expect(chain.transaction(hash)!.type).toBe('waiting')
    for (let i = 0; i < 5; i++) {
      clock.move(1_000)
      chain.seal()
    }
    expect(chain.transaction(hash)!.type).toBe('included')
  })

  test('the pool drops what can no longer be paid', () => {
    const { chain } = createTestChain()
    const most = 9_999n * 10n ** 18n
    send(chain, { nonce: 0, value: most })
    const hopeless = send(chain, { nonce: 1, value: most })
    chain.step()
    expect(chain.transaction(hopeless)).toBeNull()
    expect(chain.pool.status()).toEqual({ pending: 0, queued: 0 })
  })

  test('the pool says what came in', () => {
    const { chain, events } = createTestChain()
    const hash = send(chain)
    expect(events).toEqual([{ type: 'pendingTransaction', recovered: expect.objectContaining({ hash }) }])
    expect(bytesToHex(chain.pool.get(hash)!.raw)).toBe(bytesToHex(signed().raw))
  })
})
