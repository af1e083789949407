// 0x0b to 0x11 (EIP-2537): additions, multi-scalar multiplications, pairing check and maps on BLS12-381.
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import { G1_MSM_DISCOUNTS, G2_MSM_DISCOUNTS } from './bls12-381-discounts.ts'
import {
  FP,
  FP2,
  G1,
  G2,
  type PointEncoding,
  pointToBytes,
  readPoint,
  readSubgroupPoint,
  subgroupError,
} from './bls12-381-encoding.ts'
import type { Affine, Pair } from './curve.ts'
import { bls12381 } from './curves.ts'
import { booleanWord, type PricedPrecompile, priced } from './precompile.ts'

export const blsG1Add = addition(G1, 375)
export const blsG2Add = addition(G2, 600)
export const blsG1Msm = multiplication(G1, { gasPerPair: 12_000, discounts: G1_MSM_DISCOUNTS })
export const blsG2Msm = multiplication(G2, { gasPerPair: 22_500, discounts: G2_MSM_DISCOUNTS })

export const blsPairing = priced({
  cost: (input) => 37_700 + 32_600 * Math.floor(input.length / PAIR_LENGTH),
  run(input) {
    if (input.length === 0 || input.length % PAIR_LENGTH !== 0) return WRONG_LENGTH
    const pairs: Pair[] = []
    for (let at = 0; at < input.length; at += PAIR_LENGTH) {
      const g1 = readPoint(G1, input, at)
      if (typeof g1 === 'string') return g1
      const g2 = readPoint(G2, input, at + G1.length)
      if (typeof g2 === 'string') return g2
      const error = subgroupError(G1, g1) ?? subgroupError(G2, g2)
      if (error !== undefined) return error
      pairs.push({ g1, g2 })
    }
    return booleanWord(bls12381().pairingIsOne(pairs))
  },
})

export const blsMapFpToG1 = priced({
  cost: () => 5500,
  run(input) {
    const element = input.length === FP.length ? FP.read(input, 0) : WRONG_LENGTH
    return typeof element === 'string' ? element : pointToBytes(G1, bls12381().mapToG1(element))
  },
})

export const blsMapFp2ToG2 = priced({
  cost: () => 23_800,
  run(input) {
    const element = input.length === FP2.length ? FP2.read(input, 0) : WRONG_LENGTH
    return typeof element === 'string' ? element : pointToBytes(G2, bls12381().mapToG2(element))
  },
})

const PAIR_LENGTH = G1.length + G2.length
const WRONG_LENGTH = 'invalid input length'

function addition<Field>(encoding: PointEncoding<Field>, gas: number): PricedPrecompile {
  return priced({
    cost: () => gas,
    run(input) {
      if (input.length !== 2 * encoding.length) return WRONG_LENGTH
      const a = readPoint(encoding, input, 0)
      if (typeof a === 'string') return a
      const b = readPoint(encoding, input, encoding.length)
      return typeof b === 'string' ? b : pointToBytes(encoding, encoding.group().add(a, b))
    },
  })
}

type MsmPrice = { readonly gasPerPair: number; readonly discounts: readonly number[] }

function multiplication<Field>(encoding: PointEncoding<Field>, { gasPerPair, discounts }: MsmPrice): PricedPrecompile {
  const pairLength = encoding.length + 32
  return priced({
    cost(input) {
      const count = Math.floor(input.length / pairLength)
      const discount = discounts[Math.min(count, discounts.length) - 1] ?? 0
      return Math.floor((count * gasPerPair * discount) / 1000)
    },
    run(input) {
      if (input.length === 0 || input.length % pairLength !== 0) return WRONG_LENGTH
      const points: Affine<Field>[] = []
      const scalars: bigint[] = []
      for (let at = 0; at < input.length; at += pairLength) {
        const point = readSubgroupPoint(encoding, input, at)
        if (typeof point === 'string') return point
        points.push(point)
        scalars.push(bytesToBigint(input, at + encoding.length, at + pairLength))
      }
      return pointToBytes(encoding, encoding.group().sumOfProducts(points, scalars))
    },
  })
}
