// An account of the genesis state.
export type GenesisAccount = {
  readonly address: bigint
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}
