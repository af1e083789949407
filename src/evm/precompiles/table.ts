// The precompiles of each fork. Ethereum: 0x01 to 0x04 from the start, to 0x08 since Byzantium, to 0x09 since Istanbul, to 0x0a since
// Cancun, to 0x11 since Prague, P-256 since Osaka. The OP Stack: P-256 since Fjord, and input limits since Granite, Isthmus, Jovian and
// Karst.
import type { Rules } from '../../chain/rules/forks.ts'
import { blake2f } from './blake2f.ts'
import { blsG1Add, blsG1Msm, blsG2Add, blsG2Msm, blsMapFp2ToG2, blsMapFpToG1, blsPairing } from './bls12-381.ts'
import {
  bn254Add,
  bn254AddByzantium,
  bn254Mul,
  bn254MulByzantium,
  bn254Pairing,
  bn254PairingByzantium,
} from './bn254.ts'
import { loadCurves } from './curves.ts'
import { ecrecover } from './ecrecover.ts'
import { identity, ripemd160, sha256 } from './hashes.ts'
import { modexpBerlin, modexpByzantium, modexpOsaka } from './modexp.ts'
import { p256VerifyOsaka, p256VerifyRip7212 } from './p256.ts'
import { pointEvaluation } from './point-evaluation.ts'
import { type InputLimit, type Precompile, withInputLimit } from './precompile.ts'

export type { Precompile } from './precompile.ts'

/** By address. The same rules give the same map. */
export function precompilesFor(rules: Rules): ReadonlyMap<bigint, Precompile> {
  const known = tables.get(rules.id)
  if (known) return known
  const table = makeTable(rules)
  tables.set(rules.id, table)
  return table
}

/** Loads the fast curve library. Every precompile works without it, but those on curves are several times slower. */
export const loadPrecompiles: () => Promise<void> = loadCurves

/** One entry per pair of Ethereum and OP fork that this thread has executed. */
const tables = new Map<string, ReadonlyMap<bigint, Precompile>>()

function makeTable(rules: Rules): ReadonlyMap<bigint, Precompile> {
  const limits = inputLimits(rules)
  const table = new Map<bigint, Precompile>([
    [0x01n, ecrecover],
    [0x02n, sha256],
    [0x03n, ripemd160],
    [0x04n, identity],
  ])
  if (rules.byzantium) {
    table.set(0x05n, modexpFor(rules))
    table.set(0x06n, rules.istanbul ? bn254Add : bn254AddByzantium)
    table.set(0x07n, rules.istanbul ? bn254Mul : bn254MulByzantium)
    table.set(0x08n, withInputLimit(limits.bn254Pairing, rules.istanbul ? bn254Pairing : bn254PairingByzantium))
  }
  if (rules.istanbul) table.set(0x09n, blake2f)
  if (rules.cancun) table.set(0x0an, pointEvaluation)
  if (rules.prague) {
    table.set(0x0bn, blsG1Add)
    table.set(0x0cn, withInputLimit(limits.blsG1Msm, blsG1Msm))
    table.set(0x0dn, blsG2Add)
    table.set(0x0en, withInputLimit(limits.blsG2Msm, blsG2Msm))
    table.set(0x0fn, withInputLimit(limits.blsPairing, blsPairing))
    table.set(0x10n, blsMapFpToG1)
    table.set(0x11n, blsMapFp2ToG2)
  }
  if (rules.osaka) table.set(0x100n, p256VerifyOsaka)
  else if (rules.fjord) table.set(0x100n, p256VerifyRip7212)
  return table
}

function modexpFor(rules: Rules): Precompile {
  if (rules.osaka) return modexpOsaka
  return rules.berlin ? modexpBerlin : modexpByzantium
}

type InputLimits = Readonly<Record<'bn254Pairing' | 'blsG1Msm' | 'blsG2Msm' | 'blsPairing', InputLimit>>

const NO_LIMITS: InputLimits = {
  bn254Pairing: bn254PairingLimit(Number.POSITIVE_INFINITY),
  ...blsLimits(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
}
const GRANITE_LIMITS: InputLimits = { ...NO_LIMITS, bn254Pairing: bn254PairingLimit(112_687) }
const ISTHMUS_LIMITS: InputLimits = { ...GRANITE_LIMITS, ...blsLimits(513_760, 488_448, 235_008) }
const JOVIAN_LIMITS: InputLimits = {
  bn254Pairing: bn254PairingLimit(81_984),
  ...blsLimits(288_960, 278_784, 156_672),
}
const KARST_LIMITS: InputLimits = { ...JOVIAN_LIMITS, bn254Pairing: bn254PairingLimit(57_600) }

// The errors are those of op-geth.
function bn254PairingLimit(maxBytes: number): InputLimit {
  return { maxBytes, error: 'bad elliptic curve pairing input size' }
}
function blsLimits(g1Msm: number, g2Msm: number, pairing: number): Omit<InputLimits, 'bn254Pairing'> {
  return {
    blsG1Msm: { maxBytes: g1Msm, error: 'g1 msm input size exceeds maximum' },
    blsG2Msm: { maxBytes: g2Msm, error: 'g2 msm input size exceeds maximum' },
    blsPairing: { maxBytes: pairing, error: 'pairing input size exceeds maximum' },
  }
}

function inputLimits(rules: Rules): InputLimits {
  if (rules.karst) return KARST_LIMITS
  if (rules.jovian) return JOVIAN_LIMITS
  if (rules.isthmus) return ISTHMUS_LIMITS
  return rules.granite ? GRANITE_LIMITS : NO_LIMITS
}
