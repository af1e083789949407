// Curves by mcl. They are several times faster than bigints, but their WebAssembly is compiled asynchronously.
import type { Affine, FieldMaps, Group, PairingCurve } from './curve.ts'
import { type Address, loadMcl, type Mcl, type MclGroup, mclFp, mclFp2, mclG1, mclG2, mclScalars } from './mcl.ts'

export async function loadMclBn254(): Promise<PairingCurve> {
  return pairingCurve(await loadMcl('bn254'))
}

export async function loadMclBls12381(): Promise<PairingCurve & FieldMaps> {
  const mcl = await loadMcl('bls12381')
  return { ...pairingCurve(mcl), ...fieldMaps(mcl) }
}

export async function loadMclP256(): Promise<Group<bigint>> {
  const mcl = await loadMcl('p256')
  return group(mcl, mclG1(mcl))
}

/** The number of points or pairs passed to the module together. It limits the memory of the module for long inputs. */
const BATCH = 128
const GT_SIZE = 12 * 48

function pairingCurve(mcl: Mcl): PairingCurve {
  const firsts = mclG1(mcl)
  const seconds = mclG2(mcl)
  const firstBatch = mcl._malloc(BATCH * firsts.size)
  const secondBatch = mcl._malloc(BATCH * seconds.size)
  const product = mcl._malloc(GT_SIZE)
  const factor = mcl._malloc(GT_SIZE)
  return {
    g1: group(mcl, firsts),
    g2: group(mcl, seconds),
    pairingIsOne(pairs) {
      mcl._mclBnGT_setInt32(product, 1)
      for (let done = 0; done < pairs.length; done += BATCH) {
        const batch = pairs.slice(done, done + BATCH)
        batch.forEach(({ g1, g2 }, i) => {
          firsts.write(firstBatch + i * firsts.size, g1)
          seconds.write(secondBatch + i * seconds.size, g2)
        })
        mcl._mclBn_millerLoopVec(factor, firstBatch, secondBatch, batch.length)
        mcl._mclBnGT_mul(product, product, factor)
      }
      mcl._mclBn_finalExp(product, product)
      return mcl._mclBnGT_isOne(product) === 1
    },
  }
}

function group<Field>(mcl: Mcl, points: MclGroup<Field>): Group<Field> {
  const scalars = mclScalars(mcl)
  const pointBatch = mcl._malloc(BATCH * points.size)
  const scalarBatch = mcl._malloc(BATCH * scalars.size)
  const left = mcl._malloc(points.size)
  const right = mcl._malloc(points.size)
  const holds = (property: (at: Address) => number, point: Affine<Field>) => {
    points.write(left, point)
    return property(left) === 1
  }
  return {
    isOnCurve: (point) => holds(points.isValid, point),
    isInSubgroup: (point) => holds(points.isValidOrder, point),
    add(a, b) {
      points.write(left, a)
      points.write(right, b)
      points.add(left, left, right)
      return points.read(left)
    },
    sumOfProducts(factors, scalarFactors) {
      points.clear(left)
      for (let done = 0; done < factors.length; done += BATCH) {
        const batch = factors.slice(done, done + BATCH)
        batch.forEach((point, i) => {
          points.write(pointBatch + i * points.size, point)
          scalars.write(scalarBatch + i * scalars.size, scalarFactors[done + i]!)
        })
        points.mulVec(right, pointBatch, scalarBatch, batch.length)
        points.add(left, left, right)
      }
      return points.read(left)
    },
  }
}

function fieldMaps(mcl: Mcl): FieldMaps {
  const [fp, fp2] = [mclFp(mcl), mclFp2(mcl)]
  const [g1, g2] = [mclG1(mcl), mclG2(mcl)]
  const element = mcl._malloc(fp2.size)
  const point = mcl._malloc(g2.size)
  return {
    mapToG1(value) {
      fp.write(element, value)
      mcl._mclBnFp_mapToG1(point, element)
      return g1.read(point)
    },
    mapToG2(value) {
      fp2.write(element, value)
      mcl._mclBnFp2_mapToG2(point, element)
      return g2.read(point)
    },
  }
}
