// Random histories: payloads that are begun, replaced, half received, sealed as announced or not, and removed by reorgs. Whatever happens,
// the ledger must say of every transaction what the canonical chain says, and its sums must be those of that chain.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../chain/bytes/hex.ts'
import { sumOfFigures } from '../chain/preconfirmations/figures.ts'
import type { BlockRecord } from '../chain/preconfirmations/record.ts'
import type { CanonicalBlock } from '../pending/compare-with-sealed.ts'
import { groundAt, makePayload, type Payload } from '../pending/payload-for-tests.ts'
import { createLedgerWorld, rewritten } from './ledger-for-tests.ts'
import { createLedgerMirror } from './ledger-mirror.ts'

const RUNS = 150
const HOUR_MS = 3_600_000

const step = fc.record({
  /** How many blocks are taken back first. */
  reorg: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
  /** Transactions in the flashblocks of each payload that is begun; the last is the one that is sealed. */
  payloads: fc.array(fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  /** How many flashblocks of each are received, less one. */
  received: fc.nat(3),
  ending: fc.constantFrom('kept', 'kept', 'kept', 'dropped', 'turned', 'stranger'),
})

test('the ledger says of every transaction what the canonical chain says, and its sums are those of that chain', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const world = createLedgerWorld()
      const ground = groundAt(100)
      const chain: CanonicalBlock[] = [ground]
      const announced = new Set<Hex>()
      let nowMs = 1_000
      const later = () => {
        nowMs += 200
        return nowMs
      }
      world.seal(ground, nowMs)
      for (const [number, { reorg, payloads, received, ending }] of steps.entries()) {
        chain.splice(Math.max(1, chain.length - reorg))
        const parent = chain.at(-1)!
        const height = parent.header.number + 1
        let last: Payload | undefined
        for (const [attempt, counts] of payloads.entries()) {
          last = makePayload({ parentHash: parent.hash, height, name: `${number} ${attempt}`, counts: [1, ...counts] })
          world.receive(last.flashblocks.slice(0, received + 1), later())
          for (const { transactions } of last.flashblocks) for (const { hash } of transactions) announced.add(hash)
        }
        const sealed = sealedAs(last!.sealed, ending, number)
        chain.push(sealed)
        world.seal(sealed, later())
      }
      expectTruth(world, { chain, announced })
      const records = chain.slice(1).map(({ header }) => world.mirror.block(header.number)!)
      expect(records.map(({ hash }) => hash)).toEqual(chain.slice(1).map(({ hash }) => hash))
      for (const [i, record] of records.entries()) expectWhole(record, chain[i + 1]!)
      const sums = sumOfFigures(records.map(({ figures }) => figures))
      // A block that a reorg took away for good is not counted any more where another one took its height.
      const highest = Math.max(...world.events.map((event) => (event.type === 'block' ? event.record.height : 0)))
      if (highest === chain.at(-1)!.header.number) {
        expect({ ...world.mirror.figures(HOUR_MS, nowMs), silenceMs: 0 }).toEqual({ ...sums, silenceMs: 0 })
      }
      const again = createLedgerMirror()
      again.take(world.events)
      for (const hash of announced) expect(again.stagesOf(hash)).toEqual(world.ledger.stagesOf(hash))
    }),
    { numRuns: RUNS, seed: 20_260 },
  )
}, 120_000)

function sealedAs(block: CanonicalBlock, ending: string, number: number): CanonicalBlock {
  const places = block.transactions.map((_, place) => place)
  switch (ending) {
    case 'dropped':
      return rewritten(block, places.slice(0, -1))
    case 'turned':
      return rewritten(block, places.toReversed())
    case 'stranger':
      return rewritten(block, places, [`0x${number.toString(16).padStart(64, 'e')}`])
    default:
      return block
  }
}

type Truth = { readonly chain: readonly CanonicalBlock[]; readonly announced: ReadonlySet<Hex> }

function expectTruth({ ledger }: ReturnType<typeof createLedgerWorld>, { chain, announced }: Truth): void {
  const places = new Map(
    chain.flatMap(({ hash: blockHash, transactions }) =>
      transactions.map(({ hash }, position) => [hash, { blockHash, position }] as const),
    ),
  )
  for (const hash of announced) {
    const stages = ledger.stagesOf(hash)
    const place = places.get(hash)
    if (place !== undefined) {
      expect(stages).toMatchObject({ stage: 'included', record: { inclusion: place, droppedMs: null } })
      expect(stages!.record.verdict).not.toBeNull()
    } else if (stages !== null) {
      expect(stages).toMatchObject({ stage: 'dropped', record: { inclusion: null } })
    }
  }
}

/** Every transaction of the block is counted once, and a block that is called whole has nothing to say against it. */
function expectWhole({ figures, differences, transactionCount }: BlockRecord, block: CanonicalBlock): void {
  const { kept, changed, dropped, unannounced, brokenBlocks } = figures
  expect(transactionCount).toBe(block.transactions.length)
  expect(kept + changed + unannounced).toBe(block.transactions.length)
  expect(brokenBlocks).toBe(differences.length === 0 ? 0 : 1)
  expect(dropped).toBe(differences.filter(({ type }) => type === 'dropped').length)
}
