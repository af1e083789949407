// The raw functions of mcl, a curve library compiled to WebAssembly. A module loads asynchronously and works on one curve, so each curve has
// its own; the typed interface of the package supports a single module and is not used. The functions take addresses in the memory of
// the module. There a field element has 48 bytes for every curve, and a point is x, y, z with z = 1 after normalization.
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import type { Affine, Fp2 } from './curve.ts'
import { integerToBytes } from './precompile.ts'

export type Address = number

export type Mcl = Readonly<Record<MclFunction, NumberFunction>> & { readonly wasmMemory: WebAssembly.Memory }

export async function loadMcl(curve: keyof typeof CURVE_IDS): Promise<Mcl> {
  const { default: createModule } = await import('mcl-wasm/dist/mcl_c.js')
  const mcl: Mcl = await createModule({})
  if (mcl._mclBn_init(CURVE_IDS[curve], COMPILED_FOR) !== 0) throw new Error(`mcl refuses the curve ${curve}`)
  // Points are checked for their subgroup only where an EIP requires them.
  mcl._mclBn_verifyOrderG1(0)
  mcl._mclBn_verifyOrderG2(0)
  mcl._mclBn_setMapToMode(RFC_9380)
  return mcl
}

/** Values of one type in the memory of the module. */
export type MclValues<Value> = {
  readonly size: number
  write(at: Address, value: Value): void
  read(at: Address): Value
}

export type MclField<Element> = MclValues<Element> & {
  readonly zero: Element
  readonly one: Element
  isZero(element: Element): boolean
}

export type MclGroup<Element> = MclValues<Affine<Element>> & Readonly<Record<GroupOperation, NumberFunction>>

export function mclFp(mcl: Mcl): MclField<bigint> {
  const length = mcl._mclBn_getFpByteSize()
  const scratch = mcl._malloc(length)
  return {
    size: ELEMENT_SIZE,
    zero: 0n,
    one: 1n,
    isZero: (element) => element === 0n,
    write(at, value) {
      writeLittleEndian(mcl, scratch, integerToBytes(value, length))
      mcl._mclBnFp_deserialize(at, scratch, length)
    },
    read(at) {
      mcl._mclBnFp_serialize(scratch, length, at)
      return bytesToBigint(new Uint8Array(mcl.wasmMemory.buffer, scratch, length).toReversed())
    },
  }
}

export function mclFp2(mcl: Mcl): MclField<Fp2> {
  const fp = mclFp(mcl)
  return {
    size: 2 * fp.size,
    zero: { c0: 0n, c1: 0n },
    one: { c0: 1n, c1: 0n },
    isZero: ({ c0, c1 }) => c0 === 0n && c1 === 0n,
    write(at, { c0, c1 }) {
      fp.write(at, c0)
      fp.write(at + fp.size, c1)
    },
    read: (at) => ({ c0: fp.read(at), c1: fp.read(at + fp.size) }),
  }
}

/** Numbers modulo the order of the group. */
export function mclScalars(mcl: Mcl): Pick<MclValues<bigint>, 'size' | 'write'> {
  const scratch = mcl._malloc(SCALAR_SIZE)
  return {
    size: SCALAR_SIZE,
    write(at, value) {
      writeLittleEndian(mcl, scratch, integerToBytes(value, SCALAR_SIZE))
      mcl._mclBnFr_setLittleEndianMod(at, scratch, SCALAR_SIZE)
    },
  }
}

export function mclG1(mcl: Mcl): MclGroup<bigint> {
  return groupOver(mclFp(mcl), operationsOf(mcl, 'G1'))
}
export function mclG2(mcl: Mcl): MclGroup<Fp2> {
  return groupOver(mclFp2(mcl), operationsOf(mcl, 'G2'))
}

type NumberFunction = (...numbers: number[]) => number
type GroupName = 'G1' | 'G2'
type GroupOperation = 'clear' | 'isZero' | 'isValid' | 'isValidOrder' | 'normalize' | 'add' | 'mulVec'
type GlobalOperation =
  | 'init'
  | 'verifyOrderG1'
  | 'verifyOrderG2'
  | 'setMapToMode'
  | 'getFpByteSize'
  | 'millerLoopVec'
  | 'finalExp'
type MclFunction =
  | '_malloc'
  | `_mclBn_${GlobalOperation}`
  | `_mclBn${GroupName}_${GroupOperation}`
  | `_mclBnGT_${'mul' | 'isOne' | 'setInt32'}`
  | `_mclBnFp_${'deserialize' | 'serialize' | 'mapToG1'}`
  | '_mclBnFp2_mapToG2'
  | '_mclBnFr_setLittleEndianMod'

const CURVE_IDS = { bn254: 4, bls12381: 5, p256: 107 } as const
/** The sizes that the module was built for. The module compares them with those of its caller. */
const COMPILED_FOR = 46
const RFC_9380 = 5
const ELEMENT_SIZE = 48
const SCALAR_SIZE = 32

function operationsOf(mcl: Mcl, group: GroupName): Readonly<Record<GroupOperation, NumberFunction>> {
  return {
    clear: mcl[`_mclBn${group}_clear`],
    isZero: mcl[`_mclBn${group}_isZero`],
    isValid: mcl[`_mclBn${group}_isValid`],
    isValidOrder: mcl[`_mclBn${group}_isValidOrder`],
    normalize: mcl[`_mclBn${group}_normalize`],
    add: mcl[`_mclBn${group}_add`],
    mulVec: mcl[`_mclBn${group}_mulVec`],
  }
}

function groupOver<Element>(
  field: MclField<Element>,
  operations: Readonly<Record<GroupOperation, NumberFunction>>,
): MclGroup<Element> {
  return {
    ...operations,
    size: 3 * field.size,
    write(at, { x, y }) {
      if (field.isZero(x) && field.isZero(y)) return void operations.clear(at)
      field.write(at, x)
      field.write(at + field.size, y)
      field.write(at + 2 * field.size, field.one)
    },
    read(at) {
      if (operations.isZero(at) === 1) return { x: field.zero, y: field.zero }
      operations.normalize(at, at)
      return { x: field.read(at), y: field.read(at + field.size) }
    },
  }
}

function writeLittleEndian(mcl: Mcl, at: Address, bigEndian: Uint8Array): void {
  new Uint8Array(mcl.wasmMemory.buffer, at, bigEndian.length).set(bigEndian.toReversed())
}
