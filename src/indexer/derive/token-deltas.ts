// Sums what a block adds to and takes from token balances: each (token, address, id) once, in the order of first use, without those whose
// sum is zero. The zero address has no balance.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { TokenDeltaRow } from '../../store/schema/rows.ts'

export type TokenBalanceKey = Pick<TokenDeltaRow, 'token' | 'address' | 'tokenId'>

export class TokenDeltas {
  readonly #height: number
  readonly #sums = new Map<string, TokenBalanceKey & { delta: bigint }>()

  constructor(height: number) {
    this.#height = height
  }

  add(key: TokenBalanceKey, delta: bigint): void {
    if (key.address === ZERO_ADDRESS) return
    const text = `${key.token}${key.address}${key.tokenId ?? ''}`
    const known = this.#sums.get(text)
    if (known === undefined) this.#sums.set(text, { ...key, delta })
    else known.delta += delta
  }

  rows(): TokenDeltaRow[] {
    const rows: TokenDeltaRow[] = []
    for (const sum of this.#sums.values()) if (sum.delta !== 0n) rows.push({ height: this.#height, ...sum })
    return rows
  }
}

export const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'
