// Reads a genesis file in the format that execution clients share: the fork schedule from `config`, the accounts from `alloc`.

import { z } from 'zod'
import { addressToHex, type Hex, hexToAddress } from '../bytes/hex.ts'
import {
  type BlobParameters,
  ETHEREUM_FORKS,
  type EthereumFork,
  type Fork,
  type ForkSchedule,
  OP_FORKS,
} from './forks.ts'

export type GenesisConfig = { readonly [name: string]: unknown }

/** A missing name is no error: a later fork implies the earlier ones. */
export function scheduleFromGenesis(config: GenesisConfig): ForkSchedule {
  const activations: { [fork in Fork]?: ForkSchedule['activations'][fork] } = {}
  for (const fork of [...ETHEREUM_FORKS, ...OP_FORKS]) {
    const block = config[BLOCK_NAMES[fork] ?? `${fork}Block`]
    const timestamp = config[`${fork}Time`]
    if (typeof block === 'number') activations[fork] = { block }
    if (typeof timestamp === 'number') activations[fork] = { timestamp }
  }
  return { activations, blobs: blobsFromGenesis(config.blobSchedule) }
}

const BLOCK_NAMES: { readonly [fork in Fork]?: string } = {
  tangerineWhistle: 'eip150Block',
  spuriousDragon: 'eip158Block',
  paris: 'mergeNetsplitBlock',
}

type BlobEntry = { readonly target: number; readonly max: number; readonly baseFeeUpdateFraction: number }

function blobsFromGenesis(schedule: unknown): { [fork in EthereumFork]?: BlobParameters } {
  const entries = Object.entries((schedule ?? {}) as { [fork: string]: BlobEntry })
  return Object.fromEntries(
    entries.map(([fork, { target, max, baseFeeUpdateFraction }]) => [
      fork,
      { target, max, updateFraction: BigInt(baseFeeUpdateFraction) },
    ]),
  )
}

export type GenesisAccount = { readonly address: Hex; readonly balance: bigint; readonly hasCode: boolean }

/** Throws if the file has another format; the error names the field. */
export function genesisAccounts(file: unknown): GenesisAccount[] {
  return Object.entries(genesisFile.parse(file).alloc).map(([address, { balance, code }]) => ({
    address: addressToHex(hexToAddress(address.startsWith('0x') ? address : `0x${address}`)),
    balance: BigInt(balance),
    hasCode: code !== undefined && code.length > 2,
  }))
}

/** Hex or decimal. */
const amount = z.string().regex(/^(0x[0-9a-fA-F]+|[0-9]+)$/)

const genesisFile = z.object({
  alloc: z.record(z.string(), z.object({ balance: amount.default('0'), code: z.string().optional() })),
})
