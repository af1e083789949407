// What the settings of a standard JSON input say, with the compilers' own defaults where they say nothing.
import { type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import type { LinkedLibrary } from '../matching/verdict.ts'

type Settings = Readonly<Record<string, unknown>>

const DEFAULT_RUNS = 200

export function optimizerOf({ optimizer, optimize }: Settings): { enabled: boolean; runs: number } {
  // Vyper has a mode instead, and optimises by itself.
  if (!isRecord(optimizer))
    return { enabled: optimize !== undefined && optimize !== false && optimize !== 'none', runs: DEFAULT_RUNS }
  const runs = typeof optimizer.runs === 'number' ? optimizer.runs : DEFAULT_RUNS
  return { enabled: optimizer.enabled === true, runs }
}

export function evmVersionOf({ evmVersion }: Settings): string {
  return typeof evmVersion === 'string' ? evmVersion : ''
}

/** Whether solc was left to put metadata at the end of the code. */
export function appendsMetadata({ metadata }: Settings): boolean {
  return !(isRecord(metadata) && metadata.appendCBOR === false)
}

/** Libraries whose addresses the compiler was given. */
export function librariesIn({ libraries }: Settings): readonly LinkedLibrary[] {
  if (!isRecord(libraries)) return []
  return Object.entries(libraries).flatMap(([file, inFile]) =>
    isRecord(inFile)
      ? Object.entries(inFile).flatMap(([name, address]) => (isAddress(address) ? [{ file, name, address }] : []))
      : [],
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAddress(value: unknown): value is Hex {
  try {
    return typeof value === 'string' && hexToBytes(value).length === 20
  } catch {
    return false
  }
}
