// The settings that hold for every block of one devnet, and values that follow from them alone.

import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import type { Header } from '../../src/chain/codec/header.ts'
import { encodeHoloceneExtraData, OP_BASE_FEE } from '../../src/chain/rules/base-fee.ts'
import { type Rules, rulesOfFork } from '../../src/chain/rules/forks.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import { DEFAULT_DEVNET_FORK, type DevnetFork } from '../genesis/genesis-state.ts'
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
  /** How many blocks the safe and finalized heads are behind the head. */
  readonly safeDistance: number
  readonly finalizedDistance: number
  /** The parameters of the base fee, in every header. */
  readonly extraData: Uint8Array
  /** A hash of the seed and a purpose; all random values of the chain come from it. */
  seeded(purpose: string): Hex
}

/** Plain data, so that a replica in another thread can have the same protocol. */
export type ProtocolOptions = {
  readonly chainId: number
  readonly seed: string
  readonly blockMs?: number | undefined
  readonly fork?: DevnetFork | undefined
  readonly gasLimit?: bigint | undefined
  /** Rules that no common specification has; see `own-rules.ts` of the genesis. */
  readonly ownRules?: boolean | undefined
  /** Default: 256, or as much time on a chain with rules of its own. */
  readonly historyBlocks?: number | undefined
  readonly safeDistance?: number | undefined
  readonly finalizedDistance?: number | undefined
}

export function createProtocol(options: ProtocolOptions): Protocol {
  const { chainId, seed, fork = DEFAULT_DEVNET_FORK, gasLimit = 60_000_000n, ownRules = false } = options
  const blocksASecond = ownRules ? Math.max(1, 1_000 / (options.blockMs ?? 1_000)) : 1
  const rules = rulesOfFork(fork)
  return {
    chainId: BigInt(chainId),
    fork,
    rules,
    gasLimit,
    ownRules,
    programs: ownRules ? ownPrograms() : NO_PROGRAMS,
    historyBlocks: options.historyBlocks ?? defaultHistoryBlocks(ownRules),
    safeDistance: options.safeDistance ?? 4 * blocksASecond,
    finalizedDistance: options.finalizedDistance ?? 12 * blocksASecond,
    extraData: encodeHoloceneExtraData({ ...OP_BASE_FEE, minBaseFee: rules.jovian ? 0n : null }),
    seeded: (purpose) => bytesToHex(keccak256(new TextEncoder().encode(`${seed}/${purpose}`))),
  }
}

export const HISTORY_BLOCKS = 256
/** The same time, at five blocks a second. */
const OWN_HISTORY_BLOCKS = 5 * HISTORY_BLOCKS

export function defaultHistoryBlocks(ownRules: boolean): number {
  return ownRules ? OWN_HISTORY_BLOCKS : HISTORY_BLOCKS
}

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
