// Curves by @noble/curves. They are slow, but need no asynchronous loading.
import { createRequire } from 'node:module'
import type { Affine, FieldMaps, Fp2, Group, PairingCurve } from './curve.ts'

const require = createRequire(import.meta.url)

export function nobleBn254(): PairingCurve {
  return pairingCurve((require('@noble/curves/bn254.js') as typeof import('@noble/curves/bn254.js')).bn254)
}

export function nobleBls12381(): PairingCurve & FieldMaps {
  const { bls12_381 } = require('@noble/curves/bls12-381.js') as typeof import('@noble/curves/bls12-381.js')
  return {
    ...pairingCurve(bls12_381),
    mapToG1: (element) => asMapper<bigint, bigint>(bls12_381.G1).mapToCurve(element).toAffine(),
    mapToG2: ({ c0, c1 }) => asMapper<[bigint, bigint], Fp2>(bls12_381.G2).mapToCurve([c0, c1]).toAffine(),
  }
}

export function nobleP256(): Group<bigint> {
  return group((require('@noble/curves/nist.js') as typeof import('@noble/curves/nist.js')).p256.Point)
}

type NobleCurve = import('@noble/curves/abstract/bls.js').BlsCurvePair
type NoblePoints<Field> = import('@noble/curves/abstract/weierstrass.js').WeierstrassPointCons<Field>

/** The actual type of `mapToCurve`; the declaration of the library is wrong. */
type Mapper<Element, Field> = { mapToCurve(element: Element): { toAffine(): Affine<Field> } }
function asMapper<Element, Field>(hasher: unknown) {
  return hasher as Mapper<Element, Field>
}

function pairingCurve(curve: NobleCurve): PairingCurve {
  const { G1, G2 } = curve
  const { Fp12 } = curve.fields
  return {
    g1: group(G1.Point),
    g2: group<Fp2>(G2.Point),
    pairingIsOne(pairs) {
      const points = pairs
        .map(({ g1, g2 }) => ({ g1: G1.Point.fromAffine(g1), g2: G2.Point.fromAffine(g2) }))
        .filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
      return points.length === 0 || Fp12.eql(curve.pairingBatch(points), Fp12.ONE)
    },
  }
}

function group<Field>(points: NoblePoints<Field>): Group<Field> {
  const { Fp, Fn } = points
  const { a, b } = points.CURVE()
  const fromAffine = (point: Affine<Field>) => points.fromAffine(point)
  return {
    isOnCurve(point) {
      if (Fp.is0(point.x) && Fp.is0(point.y)) return true
      const slope = Fp.add(Fp.sqr(point.x), a)
      return Fp.eql(Fp.sqr(point.y), Fp.add(Fp.mul(slope, point.x), b))
    },
    isInSubgroup: (point) => fromAffine(point).isTorsionFree(),
    add: (left, right) => fromAffine(left).add(fromAffine(right)).toAffine(),
    sumOfProducts: (factors, scalars) =>
      factors
        .map((point, i) => fromAffine(point).multiplyUnsafe(Fn.create(scalars[i]!)))
        .reduce((sum, product) => sum.add(product), points.ZERO)
        .toAffine(),
  }
}
