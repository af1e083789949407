// The interface of a curve for the precompiles, in affine coordinates. (0, 0) is the point at infinity, as in EIP-196 and EIP-2537.
// Callers must pass coordinates below the modulus of the field.

export type Affine<Field> = { readonly x: Field; readonly y: Field }

/** c0 + c1·u */
export type Fp2 = { readonly c0: bigint; readonly c1: bigint }

export type Group<Field> = {
  isOnCurve(point: Affine<Field>): boolean
  /** The point must be on the curve. */
  isInSubgroup(point: Affine<Field>): boolean
  add(a: Affine<Field>, b: Affine<Field>): Affine<Field>
  /** The sum of the points, each multiplied by its scalar. Points must be in the subgroup; scalars may exceed the order. */
  sumOfProducts(points: readonly Affine<Field>[], scalars: readonly bigint[]): Affine<Field>
}

export type Pair = { readonly g1: Affine<bigint>; readonly g2: Affine<Fp2> }

export type PairingCurve = {
  readonly g1: Group<bigint>
  readonly g2: Group<Fp2>
  /** Whether the product of the pairings is one. Points must be in the subgroups. */
  pairingIsOne(pairs: readonly Pair[]): boolean
}

/** The maps of EIP-2537: simplified SWU, then clearing of the cofactor. */
export type FieldMaps = {
  mapToG1(element: bigint): Affine<bigint>
  mapToG2(element: Fp2): Affine<Fp2>
}
