// Every precompile but 0x0a, which the other side cannot run without a trusted setup, against @ethereumjs/evm: same success, same gas,
// same output, on good inputs, on good inputs with a little damage, and one gas short.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, getActivePrecompiles } from '@ethereumjs/evm'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { concatBytes } from '../../chain/bytes/hex.ts'
import { signHash } from '../../chain/bytes/secp256k1.ts'
import { type Fork, rulesOfFork } from '../../chain/rules/forks.ts'
import { integerToBytes } from './precompile.ts'
import { loadPrecompiles, precompilesFor } from './table.ts'

/** Enough for all inputs of this test, and small enough that a damaged number of rounds does not run for seconds. */
const GAS_LIMIT = 2_000_000

/** Our forks by theirs: what Karst has of these is Osaka's. */
const FORKS = {
  byzantium: Hardfork.Byzantium,
  istanbul: Hardfork.Istanbul,
  cancun: Hardfork.Cancun,
  prague: Hardfork.Prague,
  osaka: Hardfork.Osaka,
  karst: Hardfork.Osaka,
}
type ComparedFork = keyof typeof FORKS & Fork

async function theirs(fork: ComparedFork) {
  const common = new Common({ chain: Mainnet, hardfork: FORKS[fork] })
  const evm = await createEVM({ common })
  const table = getActivePrecompiles(common)
  return async (address: bigint, data: Uint8Array): Promise<unknown> => {
    const precompile = table.get(address.toString(16).padStart(40, '0'))!
    const result = await precompile({ data, gasLimit: BigInt(GAS_LIMIT), common, _EVM: evm })
    if (result.exceptionError !== undefined) return { ok: false, error: expect.any(String) }
    return { ok: true, gasUsed: Number(result.executionGasUsed), output: Uint8Array.from(result.returnValue) }
  }
}

function bytes(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length })
}
function words(...values: bigint[]) {
  return concatBytes(...values.map((value) => integerToBytes(value, 32)))
}
function elements(...values: bigint[]) {
  return concatBytes(...values.map((value) => integerToBytes(value, 64)))
}
function join(parts: fc.Arbitrary<Uint8Array>[]) {
  return fc.tuple(...parts).map((each) => concatBytes(...each))
}
function some(item: fc.Arbitrary<Uint8Array>, maxLength = 3) {
  return fc.array(item, { maxLength }).map((items) => concatBytes(...items))
}
const scalars = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, (1n << 256n) - 1n))
const scalarWords = scalars.map((scalar) => words(scalar))

const bnG1 = scalars.map((scalar) => {
  const { x, y } = bn254.G1.Point.BASE.multiplyUnsafe(scalar % bn254.fields.Fr.ORDER).toAffine()
  return words(x, y)
})
const bnG2 = scalars.map((scalar) => {
  const { x, y } = bn254.G2.Point.BASE.multiplyUnsafe(scalar % bn254.fields.Fr.ORDER).toAffine()
  return words(x.c1, x.c0, y.c1, y.c0)
})
const blsG1 = scalars.map((scalar) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiplyUnsafe(scalar % bls12_381.fields.Fr.ORDER).toAffine()
  return elements(x, y)
})
const blsG2 = scalars.map((scalar) => {
  const { x, y } = bls12_381.G2.Point.BASE.multiplyUnsafe(scalar % bls12_381.fields.Fr.ORDER).toAffine()
  return elements(x.c0, x.c1, y.c0, y.c1)
})
const blsElement = fc.bigInt(0n, bls12_381.fields.Fp.ORDER - 1n).map((value) => elements(value))

const recoverable = fc.tuple(bytes(32), fc.bigInt(1n, 1n << 250n)).map(([hash, key]) => {
  const { r, s, yParity } = signHash(hash, words(key))
  return concatBytes(hash, words(BigInt(27 + yParity), r, s))
})
const p256Signed = fc.tuple(bytes(32), fc.bigInt(1n, 1n << 250n)).map(([hash, key]) => {
  const { x, y } = p256.Point.BASE.multiply(key).toAffine()
  return concatBytes(hash, p256.sign(hash, words(key), { prehash: false }), words(x, y))
})
function toModexpCall(parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(words(...parts.map((part) => BigInt(part.length))), ...parts)
}
const modexpCall = fc.tuple(...[40, 40, 40].map((maxLength) => fc.uint8Array({ maxLength }))).map(toModexpCall)
/** Numbers of the lengths at which some fork changes its price or refuses; a short exponent, so that the gas is enough. */
const longNumber = fc.constantFrom(0, 1, 32, 33, 64, 65, 1023, 1024, 1025).chain(bytes)
const longModexpCall = fc
  .tuple(longNumber, fc.oneof(fc.uint8Array({ maxLength: 3 }), bytes(33), bytes(1024), bytes(1025)), longNumber)
  .map(toModexpCall)
const blakeCall = join([
  fc.integer({ min: 0, max: 300 }).map((rounds) => words(BigInt(rounds)).subarray(28)),
  bytes(208),
  fc.constantFrom(Uint8Array.of(0), Uint8Array.of(1)),
])

type Case = [name: string, fork: ComparedFork, address: bigint, input: fc.Arbitrary<Uint8Array>, runs: number]

const CASES: Case[] = [
  ['ecrecover', 'cancun', 0x01n, recoverable, 100],
  ['sha256', 'cancun', 0x02n, fc.uint8Array({ maxLength: 200 }), 50],
  ['ripemd160', 'cancun', 0x03n, fc.uint8Array({ maxLength: 200 }), 50],
  ['identity', 'cancun', 0x04n, fc.uint8Array({ maxLength: 200 }), 50],
  ['modexp', 'cancun', 0x05n, modexpCall, 300],
  ['modexp', 'osaka', 0x05n, modexpCall, 300],
  ['modexp', 'byzantium', 0x05n, modexpCall, 100],
  ['modexp', 'karst', 0x05n, modexpCall, 100],
  ['modexp of long numbers', 'byzantium', 0x05n, longModexpCall, 60],
  ['modexp of long numbers', 'prague', 0x05n, longModexpCall, 60],
  ['modexp of long numbers', 'karst', 0x05n, longModexpCall, 60],
  ['bn254 addition', 'byzantium', 0x06n, join([bnG1, bnG1]), 10],
  ['bn254 multiplication', 'byzantium', 0x07n, join([bnG1, scalarWords]), 10],
  ['bn254 pairing', 'byzantium', 0x08n, some(join([bnG1, bnG2])), 5],
  ['blake2f', 'istanbul', 0x09n, blakeCall, 30],
  ['bn254 addition', 'cancun', 0x06n, join([bnG1, bnG1]), 40],
  ['bn254 multiplication', 'cancun', 0x07n, join([bnG1, scalarWords]), 20],
  ['bn254 pairing', 'cancun', 0x08n, some(join([bnG1, bnG2])), 10],
  ['blake2f', 'cancun', 0x09n, blakeCall, 100],
  ['G1 addition', 'prague', 0x0bn, join([blsG1, blsG1]), 40],
  ['G1 multiplication', 'prague', 0x0cn, some(join([blsG1, scalarWords])), 15],
  ['G2 addition', 'prague', 0x0dn, join([blsG2, blsG2]), 30],
  ['G2 multiplication', 'prague', 0x0en, some(join([blsG2, scalarWords])), 10],
  ['BLS pairing', 'prague', 0x0fn, some(join([blsG1, blsG2])), 8],
  ['map to G1', 'prague', 0x10n, blsElement, 20],
  ['map to G2', 'prague', 0x11n, join([blsElement, blsElement]), 10],
  ['P-256', 'osaka', 0x100n, p256Signed, 20],
  ['P-256', 'karst', 0x100n, p256Signed, 20],
]

type Damage = { readonly kind: 'none' | 'cut' | 'grown' | 'changed'; readonly at: number; readonly by: number }

const damages: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('none', 'none', 'cut', 'grown', 'changed'),
  at: fc.nat(),
  by: fc.integer({ min: 1, max: 255 }),
})

function damaged(input: Uint8Array, { kind, at, by }: Damage): Uint8Array {
  if (kind === 'cut') return input.slice(0, Math.max(0, input.length - by))
  if (kind === 'grown') return concatBytes(input, new Uint8Array(by))
  const copy = input.slice()
  if (kind === 'changed' && copy.length > 0) copy[at % copy.length]! ^= by
  return copy
}

describe.each(['noble', 'mcl'])('curves with %s', (library) => {
  if (library === 'mcl') beforeAll(loadPrecompiles)

  test.each(CASES)(
    'the precompile %s (%s) agrees with the one of EthereumJS',
    async (_, fork, address, inputs, runs) => {
      const opinion = await theirs(fork)
      const ours = precompilesFor(rulesOfFork(fork)).get(address)!
      await fc.assert(
        fc.asyncProperty(inputs, damages, async (input, damage) => {
          const call = damaged(input, damage)
          const result = ours(call, GAS_LIMIT)
          expect(result).toEqual(await opinion(address, call))
          if (result.ok && result.gasUsed > 0) expect(ours(call, result.gasUsed - 1)).toMatchObject({ ok: false })
        }),
        { numRuns: library === 'mcl' ? runs : Math.ceil(runs / 5) },
      )
    },
  )
})
