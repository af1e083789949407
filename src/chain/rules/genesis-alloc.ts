// Reads the accounts before the first block from the `alloc` of a genesis file, in the format that execution clients share.
import { z } from 'zod'
import { addressToHex, type Hex, hexToAddress } from '../bytes/hex.ts'

export type GenesisAccount = { readonly address: Hex; readonly balance: bigint; readonly hasCode: boolean }

/** Throws if the file has another format; the error names the field. */
export function genesisAccounts(file: unknown): GenesisAccount[] {
  return Object.entries(genesis.parse(file).alloc).map(([address, { balance, code }]) => ({
    address: addressToHex(hexToAddress(address.startsWith('0x') ? address : `0x${address}`)),
    balance: BigInt(balance),
    hasCode: code !== undefined && code.length > 2,
  }))
}

/** Hex or decimal. */
const amount = z.string().regex(/^(0x[0-9a-fA-F]+|[0-9]+)$/)

const genesis = z.object({
  alloc: z.record(z.string(), z.object({ balance: amount.default('0'), code: z.string().optional() })),
})
