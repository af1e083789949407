// What the curve precompiles need of a curve, in affine coordinates; (0, 0) is the point at infinity, as EIP-196 and EIP-2537 spell it.
// Callers hand in coordinates below the field's modulus.

export type Affine<Field> = { readonly x: Field; readonly y: Field }

/** c0 + c1·u */
export type Fp2 = { readonly c0: bigint; readonly c1: bigint }

export type Group<Field> = {
  isOnCurve(point: Affine<Field>): boolean
  /** Of a point on the curve. */
  isInSubgroup(point: Affine<Field>): boolean
  add(a: Affine<Field>, b: Affine<Field>): Affine<Field>
  /** Points of the subgroup, each times its scalar, which may exceed the order. */
  sumOfProducts(points: readonly Affine<Field>[], scalars: readonly bigint[]): Affine<Field>
}

export type Pair = { readonly g1: Affine<bigint>; readonly g2: Affine<Fp2> }

export type PairingCurve = {
  readonly g1: Group<bigint>
  readonly g2: Group<Fp2>
  /** Whether the product of the pairings is one; points of the subgroups. */
  pairingIsOne(pairs: readonly Pair[]): boolean
}

/** EIP-2537's maps: simplified SWU and clearing of the cofactor. */
export type FieldMaps = {
  mapToG1(element: bigint): Affine<bigint>
  mapToG2(element: Fp2): Affine<Fp2>
}
