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
  type UnknownFork,
} from './forks.ts'

export type GenesisConfig = { readonly [name: string]: unknown }

/** A missing name is no error: a later fork implies the earlier ones. */
export function scheduleFromGenesis(config: GenesisConfig): ForkSchedule {
  const activations: { [fork in Fork]?: ForkSchedule['activations'][fork] } = {}
  for (const fork of [...ETHEREUM_FORKS, ...OP_FORKS]) {
    const block = config[BLOCK_NAMES[fork] ?? `${fork}Block`]
    const timestamp = config[`${fork}Time`] ?? config[`${fork}_time`]
    if (typeof block === 'number') activations[fork] = { block }
    if (typeof timestamp === 'number') activations[fork] = { timestamp }
  }
  return { activations, blobs: blobsFromGenesis(config.blobSchedule), unknown: unknownForks(config) }
}

/** Every setting that is named like the time of a fork and is none of ours. */
function unknownForks(config: GenesisConfig): UnknownFork[] {
  return Object.entries(config).flatMap(([key, timestamp]) => {
    const name = /^(\w+?)(?:Time|_time)$/.exec(key)?.[1]
    if (name === undefined || typeof timestamp !== 'number' || NOT_EXECUTION.has(name) || isKnown(name)) return []
    return [{ name, timestamp }]
  })
}

/** These change how L1 is read, or how long a block takes, and nothing that is executed. */
const NOT_EXECUTION: ReadonlySet<string> = new Set(['pectraBlobSchedule', 'pectra_blob_schedule', 'block', 'delta'])

function isKnown(name: string): boolean {
  return ([...ETHEREUM_FORKS, ...OP_FORKS] as readonly string[]).includes(name)
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
