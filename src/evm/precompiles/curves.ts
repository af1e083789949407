// The curves in use. mcl is several times faster but can only be compiled asynchronously: until `loadCurves` is done, and where nobody
// called it, noble answers.
import type { FieldMaps, Group, PairingCurve } from './curve.ts'
import { loadMclBls12381, loadMclBn254, loadMclP256 } from './mcl-curve.ts'
import { nobleBls12381, nobleBn254, nobleP256 } from './noble-curve.ts'

type Curves = { bn254: PairingCurve; bls12381: PairingCurve & FieldMaps; p256: Group<bigint> }

const inUse: Partial<Curves> = {}

export const bn254 = (): Curves['bn254'] => (inUse.bn254 ??= nobleBn254())
export const bls12381 = (): Curves['bls12381'] => (inUse.bls12381 ??= nobleBls12381())
export const p256 = (): Curves['p256'] => (inUse.p256 ??= nobleP256())

/** Once per thread is enough; a second call waits for the first. */
export const loadCurves = (): Promise<void> => (loading ??= load())

let loading: Promise<void> | undefined

async function load(): Promise<void> {
  inUse.bn254 = await loadMclBn254()
  inUse.bls12381 = await loadMclBls12381()
  inUse.p256 = await loadMclP256()
}
