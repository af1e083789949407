// Two upstreams send random histories and drop, repeat, swap and bend messages, while the canonical chain goes on at random.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../chain/bytes/hex.ts'
import type { Flashblock } from '../chain/codec/flashblock.ts'
import { rulesOfFork } from '../chain/rules/forks.ts'
import type { CanonicalBlock } from './compare-with-sealed.ts'
import {
  EMPTY_RESEQUENCED_CHAIN,
  type FeedOrChainEvent,
  groundAt,
  makePayload,
  type Payload,
  type ResequencedChain,
  resequencedChainAfter,
} from './payload-for-tests.ts'
import type { PendingBlock } from './pending-block.ts'

const RUNS = 2_000
const rules = { rulesOf: () => rulesOfFork('isthmus'), staleMs: null }

type Fault = 'none' | 'dropped' | 'repeated' | 'swapped' | 'bent'

const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault>('none') },
  { weight: 4, arbitrary: fc.constantFrom<Fault>('dropped', 'repeated', 'swapped', 'bent') },
)

const history = fc.record({
  /** For each height the payloads that were begun, with the transactions in each flashblock; the last one is sealed. */
  heights: fc.array(fc.array(fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }), {
    minLength: 1,
    maxLength: 4,
  }),
  faults: fc.tuple(
    fc.array(fault, { minLength: 40, maxLength: 40 }),
    fc.array(fault, { minLength: 40, maxLength: 40 }),
  ),
  /** Who comes next: one upstream, the other, or the node. */
  steps: fc.array(fc.constantFrom(0, 0, 0, 1, 1, 1, 2), { minLength: 100, maxLength: 100 }),
})

const ground = groundAt(100)
const prelude = makePayload({ parentHash: ground.hash, height: 101, name: 'prelude', counts: [1] })
const start = [
  { type: 'canonical', block: ground } as const,
  ...prelude.flashblocks.map((flashblock) => ({ type: 'flashblock', flashblock, receivedMs: 0 }) as const),
].reduce<ResequencedChain>((chain, event) => resequencedChainAfter(rules, chain, event), EMPTY_RESEQUENCED_CHAIN)

test('the pending chain never serves a mixture, always serves a good prefix, and recovers at the next index 0', () => {
  fc.assert(
    fc.property(history, ({ heights, faults, steps }) => {
      const payloads = payloadsOf(heights)
      const truth = new Map(
        payloads.flat().flatMap(({ flashblocks }) => flashblocks.map((each) => [keyOf(each), each])),
      )
      const stories = faults.map((each) => storyOf(payloads.flat(), each))
      const sealed = [prelude.sealed, ...payloads.map((attempts) => attempts.at(-1)!.sealed)]
      const received = new Set<string>()
      let chain = start
      const take = (event: FeedOrChainEvent): void => {
        const before = chain
        const servedBefore = before.blocks.map(keyOf)
        chain = resequencedChainAfter(rules, chain, event)
        expect(before.blocks.map(keyOf)).toEqual(servedBefore)
        if (event.type === 'flashblock' && truth.get(keyOf(event.flashblock)) === event.flashblock) {
          if (event.flashblock.height > before.canonical!.height) received.add(keyOf(event.flashblock))
        }
        expectWhole(chain, truth)
        expectNothingWithheld(chain, payloads.flat(), received)
      }
      for (const step of steps) {
        if (step === 2) {
          const block = sealed.shift()
          if (block !== undefined) take({ type: 'canonical', block })
        } else {
          const flashblock = stories[step]!.shift()
          if (flashblock !== undefined) take({ type: 'flashblock', flashblock, receivedMs: 0 })
        }
      }
      expectRecovery(chain, sealed.at(-1) ?? null)
    }),
    { numRuns: RUNS, seed: 20_251 },
  )
}, 120_000)

type Versioned = { readonly payloadId: Hex; readonly index: number }
function keyOf({ payloadId, index }: Versioned): string {
  return `${payloadId}/${index}`
}

function payloadsOf(heights: readonly (readonly (readonly number[])[])[]): Payload[][] {
  let parentHash = prelude.sealed.hash
  return heights.map((attempts, at) => {
    const payloads = attempts.map((counts, attempt) =>
      makePayload({ parentHash, height: 102 + at, name: `attempt ${attempt}`, counts }),
    )
    parentHash = payloads.at(-1)!.sealed.hash
    return payloads
  })
}

function storyOf(payloads: readonly Payload[], faults: readonly Fault[]): Flashblock[] {
  const story: Flashblock[] = []
  for (const [at, flashblock] of payloads.flatMap(({ flashblocks }) => flashblocks).entries()) {
    const last = story.length - 1
    switch (faults[at]!) {
      case 'none':
        story.push(flashblock)
        break
      case 'repeated':
        story.push(flashblock, flashblock)
        break
      case 'swapped':
        story.splice(Math.max(0, last), 0, flashblock)
        break
      case 'bent':
        story.push({ ...flashblock, totals: { ...flashblock.totals, gasUsed: flashblock.totals.gasUsed + 1n } })
        break
      case 'dropped':
        break
    }
  }
  return story
}

/** Every block served is one that was announced, transaction for transaction, and stands on the one below. */
function expectWhole({ canonical, blocks }: ResequencedChain, truth: ReadonlyMap<string, Flashblock>): void {
  let parent = { hash: canonical!.hash, number: canonical!.height }
  for (const block of blocks) {
    const { payloadId, index, hash, header, transactions } = block
    expect([header.parentHash, header.number]).toEqual([parent.hash, parent.number + 1])
    parent = { hash, number: header.number }
    if (payloadId === prelude.flashblocks[0]!.payloadId) continue
    const parts = Array.from({ length: index + 1 }, (_, i) => truth.get(`${payloadId}/${i}`)!)
    expect(hash).toBe(parts.at(-1)!.totals.blockHash)
    expect(transactions.map(({ recovered }) => recovered.hash)).toEqual(
      parts.flatMap((part) => part.transactions.map((each) => each.hash)),
    )
  }
}

/** Whatever of the next height was received from index 0 on is served, of one payload as far as it goes. */
function expectNothingWithheld(
  chain: ResequencedChain,
  payloads: readonly Payload[],
  received: ReadonlySet<string>,
): void {
  const { canonical, blocks } = chain
  const prefixes = payloads.map(({ flashblocks }) => {
    const end = flashblocks.findIndex((flashblock) => !received.has(keyOf(flashblock)))
    return { flashblocks, length: end === -1 ? flashblocks.length : end }
  })
  const isGood = prefixes.some(
    ({ flashblocks: [first], length }) => length > 0 && first!.base!.parentHash === canonical!.hash,
  )
  if (isGood) expect(blocks.length).toBeGreaterThan(0)
  const tip = blocks.at(-1)
  const own = prefixes.find(({ flashblocks }) => flashblocks[0]!.payloadId === tip?.payloadId)
  if (own !== undefined) expect(tip!.index).toBe(own.length - 1)
}

function expectRecovery(chain: ResequencedChain, last: CanonicalBlock | null): void {
  const settled = last === null ? chain : resequencedChainAfter(rules, chain, { type: 'canonical', block: last })
  const { height, hash } = settled.canonical!
  const fresh = makePayload({ parentHash: hash, height: height + 1, name: 'fresh', counts: [1] })
  const recovered = resequencedChainAfter(rules, settled, {
    type: 'flashblock',
    flashblock: fresh.flashblocks[0]!,
    receivedMs: 0,
  })
  expect(recovered.blocks.map(({ hash: each }: PendingBlock) => each)).toEqual([fresh.flashblocks[0]!.totals.blockHash])
}
