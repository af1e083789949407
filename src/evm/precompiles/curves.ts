// Chooses the curve library. mcl is several times faster but loads asynchronously: until `loadCurves` has finished, or if nobody calls
// it, noble is used.
import type { FieldMaps, Group, PairingCurve } from './curve.ts'
import { loadMclBls12381, loadMclBn254, loadMclP256 } from './mcl-curve.ts'
import { nobleBls12381, nobleBn254, nobleP256 } from './noble-curve.ts'

type Curves = { bn254: PairingCurve; bls12381: PairingCurve & FieldMaps; p256: Group<bigint> }

const inUse: Partial<Curves> = {}

export function bn254(): Curves['bn254'] {
  inUse.bn254 ??= nobleBn254()
  return inUse.bn254
}

export function bls12381(): Curves['bls12381'] {
  inUse.bls12381 ??= nobleBls12381()
  return inUse.bls12381
}

export function p256(): Curves['p256'] {
  inUse.p256 ??= nobleP256()
  return inUse.p256
}

let loading: Promise<void> | undefined

/** Loads once per thread; a second call waits for the first. */
export function loadCurves(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  inUse.bn254 = await loadMclBn254()
  inUse.bls12381 = await loadMclBls12381()
  inUse.p256 = await loadMclP256()
}
