// The settings that hold for every block of one devnet, and values that follow from them alone.

import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import type { Header } from '../../src/chain/codec/header.ts'
import { encodeHoloceneExtraData, OP_BASE_FEE } from '../../src/chain/rules/base-fee.ts'
import { type Rules, rulesOfFork } from '../../src/chain/rules/forks.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { DevnetFork } from '../genesis/genesis-state.ts'
import { NO_PROGRAMS, ownPrograms, type Programs } from '../genesis/own-rules.ts'

export type Protocol = {
  readonly chainId: bigint
  readonly fork: DevnetFork
  readonly rules: Rules
  readonly gasLimit: bigint
  /** Rules beyond the OP Stack: block times in milliseconds, a transaction type and a token of its own. */
  readonly ownRules: boolean
  /** What runs at addresses without code. */
  readonly programs: Programs
  /** Blocks back to which the state is available. */
  readonly historyBlocks: number
  /** The parameters of the base fee, in every header. */
  readonly extraData: Uint8Array
  /** A hash of the seed and a purpose; all random values of the chain come from it. */
  seeded(purpose: string): Hex
}

export function createProtocol(options: {
  chainId: number
  seed: string
  fork: DevnetFork
  gasLimit: bigint
  ownRules?: boolean | undefined
}): Protocol {
  const { chainId, seed, fork, gasLimit, ownRules = false } = options
  const rules = rulesOfFork(fork)
  return {
    chainId: BigInt(chainId),
    fork,
    rules,
    gasLimit,
    ownRules,
    programs: ownRules ? ownPrograms() : NO_PROGRAMS,
    historyBlocks: ownRules ? OWN_HISTORY_BLOCKS : HISTORY_BLOCKS,
    extraData: encodeHoloceneExtraData({ ...OP_BASE_FEE, minBaseFee: rules.jovian ? 0n : null }),
    seeded: (purpose) => bytesToHex(keccak256(new TextEncoder().encode(`${seed}/${purpose}`))),
  }
}

export const HISTORY_BLOCKS = 256
/** The same time, at five blocks a second. */
const OWN_HISTORY_BLOCKS = 5 * HISTORY_BLOCKS

export function envOf({ chainId, rules }: Protocol, header: Header): BlockEnv {
  return {
    chainId,
    rules,
    number: header.number,
    timestamp: header.timestamp,
    gasLimit: header.gasLimit,
    coinbase: header.miner,
    baseFee: header.baseFeePerGas ?? 0n,
    blobBaseFee: 1n,
    prevRandao: BigInt(header.mixHash),
  }
}
