import type { Hex } from '../../chain/bytes/hex.ts'

/** How a proxy knows its implementation. */
export type ProxyKind =
  /** An account that delegated itself (EIP-7702). */
  | 'eip7702'
  /** The address is in the code: of clones (EIP-1167 and kin), or an immutable. */
  | 'minimal'
  | 'immutable'
  /** It is in a slot: of EIP-1967, of EIP-1822, of older OpenZeppelin, the first one of a Safe, any other. */
  | 'eip1967'
  | 'eip1822'
  | 'zeppelinos'
  | 'safe'
  | 'slot'
  /** Another contract is asked for it. */
  | 'beacon'
  /** Several, by selector (EIP-2535). */
  | 'diamond'
  | 'other'

export type ResolvedProxy = {
  readonly kind: ProxyKind
  /** Of a diamond the first facet. */
  readonly implementation: Hex
  /** Of a diamond all facets, otherwise the implementation alone. */
  readonly implementations: readonly Hex[]
}
