import { describe, expect, test } from 'vitest'
import { type Fork, rulesOfFork } from '../../chain/rules/forks.ts'
import { precompilesFor } from './table.ts'

function addressesOf(fork: Fork) {
  return [...precompilesFor(rulesOfFork(fork)).keys()]
}
function upTo(last: bigint) {
  return Array.from({ length: Number(last) }, (_, i) => BigInt(i + 1))
}

test.each<[Fork, bigint[]]>([
  ['frontier', upTo(0x04n)],
  ['byzantium', upTo(0x08n)],
  ['istanbul', upTo(0x09n)],
  ['cancun', upTo(0x0an)],
  ['prague', upTo(0x11n)],
  ['osaka', [...upTo(0x11n), 0x100n]],
  ['bpo2', [...upTo(0x11n), 0x100n]],
  ['ecotone', upTo(0x0an)],
  ['fjord', [...upTo(0x0an), 0x100n]],
  ['holocene', [...upTo(0x0an), 0x100n]],
  ['isthmus', [...upTo(0x11n), 0x100n]],
  ['jovian', [...upTo(0x11n), 0x100n]],
  ['karst', [...upTo(0x11n), 0x100n]],
])('%s has its precompiles', (fork, addresses) => {
  expect(addressesOf(fork)).toEqual(addresses)
})

test('the same rules give the same table of precompiles', () => {
  expect(precompilesFor(rulesOfFork('prague'))).toBe(precompilesFor(rulesOfFork('prague')))
})

test.each<[Fork, number]>([
  ['osaka', 6900],
  ['fjord', 3450],
  ['jovian', 3450],
  ['karst', 6900],
])('%s charges its own price for P-256', (fork, gasUsed) => {
  expect(precompilesFor(rulesOfFork(fork)).get(0x100n)!(new Uint8Array(0), 10_000)).toMatchObject({ gasUsed })
})

test.each<[Fork, number]>([
  ['byzantium', 0],
  ['petersburg', 0],
  ['berlin', 200],
  ['prague', 200],
  ['jovian', 200],
  ['osaka', 500],
  ['karst', 500],
])('%s charges its own price for modexp', (fork, gasUsed) => {
  expect(precompilesFor(rulesOfFork(fork)).get(0x05n)!(new Uint8Array(0), 10_000)).toMatchObject({ gasUsed })
})

test.each<[Fork, number, number, number]>([
  ['byzantium', 500, 40_000, 180_000],
  ['istanbul', 150, 6_000, 79_000],
])('%s charges its own prices for bn254', (fork, addition, multiplication, pairing) => {
  const table = precompilesFor(rulesOfFork(fork))
  expect(table.get(0x06n)!(new Uint8Array(0), 10 ** 6)).toMatchObject({ gasUsed: addition })
  expect(table.get(0x07n)!(new Uint8Array(0), 10 ** 6)).toMatchObject({ gasUsed: multiplication })
  expect(table.get(0x08n)!(new Uint8Array(192), 10 ** 6)).toMatchObject({ gasUsed: pairing })
})

// An input of infinities is good at any length that is a whole number of pairs, so only the limit can refuse it.
describe.each<[string, bigint, number, Partial<Record<Fork, number>>]>([
  ['bn254 pairing', 0x08n, 192, { granite: 112_687, isthmus: 112_687, jovian: 81_984, karst: 57_600 }],
  ['G1 multiplication', 0x0cn, 160, { isthmus: 513_760, jovian: 288_960, karst: 288_960 }],
  ['G2 multiplication', 0x0en, 288, { isthmus: 488_448, jovian: 278_784, karst: 278_784 }],
  ['BLS pairing', 0x0fn, 384, { isthmus: 235_008, jovian: 156_672, karst: 156_672 }],
])('%s on the OP Stack', (_, address, pairLength, limits) => {
  test.each(Object.entries(limits) as [Fork, number][])(
    'a precompile takes as much input as %s allows',
    (fork, limit) => {
      const precompile = precompilesFor(rulesOfFork(fork)).get(address)!
      const allowed = Math.floor(limit / pairLength) * pairLength
      expect(precompile(new Uint8Array(allowed), Number.MAX_SAFE_INTEGER)).toMatchObject({ ok: true })
      expect(precompile(new Uint8Array(allowed + pairLength), Number.MAX_SAFE_INTEGER)).toMatchObject({ ok: false })
    },
  )

  test('a precompile has no input limit on Ethereum', () => {
    const precompile = precompilesFor(rulesOfFork('osaka')).get(address)!
    const most = Math.max(...Object.values(limits))
    const beyond = Math.ceil((most + 1) / pairLength) * pairLength
    expect(precompile(new Uint8Array(beyond), Number.MAX_SAFE_INTEGER)).toMatchObject({ ok: true })
  })
})
