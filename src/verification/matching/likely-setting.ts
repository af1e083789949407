// Guesses which setting makes the same source compile to other code, from the instructions on both sides. It is worded as a guess.
import { splitAtMetadata } from './code-metadata.ts'
import type { CompiledContract } from './compiled-contract.ts'

export type SettingsClue = {
  readonly compiled: CompiledContract
  readonly chain: Uint8Array
  readonly optimizer: { readonly enabled: boolean; readonly runs: number }
  readonly viaIr: boolean
}

/** Instructions that a compiler uses once the EVM version is at least this fork, oldest first. */
const forkMarks: readonly (readonly [fork: string, opcodes: readonly number[]])[] = [
  ['byzantium', [0x3d, 0x3e, 0xfa, 0xfd]],
  ['constantinople', [0x1b, 0x1c, 0x1d, 0x3f]],
  ['istanbul', [0x46, 0x47]],
  ['shanghai', [0x5f]],
  ['cancun', [0x5e]],
  ['osaka', [0x1e]],
]

export function likelySetting({ compiled, chain, optimizer, viaIr }: SettingsClue): string {
  const { body } = splitAtMetadata(chain)
  const ours = splitAtMetadata(compiled.runtime.bytes).body
  const chainCode = instructionsOf(body)
  const missing = Object.entries(compiled.methodIdentifiers).filter(([, id]) => !chainCode.selectors.has(id))
  const functions = Object.keys(compiled.methodIdentifiers).length
  if (functions > 0 && missing.length > 0) {
    const named = missing.slice(0, 3).map(([signature]) => signature)
    return `${missing.length} of its ${functions} functions, such as ${named.join(', ')}, are not in the code on chain: it is another contract, or another state of the source.`
  }
  const [chainFork, ownFork] = [newestFork(chainCode.opcodes), newestFork(instructionsOf(ours).opcodes)]
  if (chainFork > ownFork) {
    return `The code on chain uses instructions of ${forkMarks[chainFork]![0]}, the compiled code does not: evmVersion is likely ${forkMarks[chainFork]![0]} or later.`
  }
  if (chainFork < ownFork) {
    return `The compiled code uses instructions of ${forkMarks[ownFork]![0]}, the code on chain does not: evmVersion is likely an earlier one.`
  }
  const used = `optimizer ${optimizer.enabled ? `on with ${optimizer.runs} runs` : 'off'}, viaIR ${viaIr ? 'on' : 'off'}`
  const size = `${body.length} bytes on chain, ${ours.length} compiled`
  return `It has the same functions, so the settings are likely others: ${likelyOptimizer(body.length / ours.length, optimizer)} (compiled with ${used}; ${size}).`
}

/** Optimized code is smaller by a third or more; more runs make it larger again. */
function likelyOptimizer(ratio: number, { enabled }: SettingsClue['optimizer']): string {
  if (!enabled && ratio < 0.8) return 'the optimizer was on'
  if (enabled && ratio > 1.25) return 'the optimizer was off, or had more runs'
  if (!enabled) return 'viaIR, or a remapping or version of an import'
  return ratio < 1 ? 'fewer optimizer runs, or viaIR' : 'more optimizer runs, or viaIR'
}

function newestFork(opcodes: ReadonlySet<number>): number {
  return forkMarks.findLastIndex(([, marks]) => marks.some((opcode) => opcodes.has(opcode)))
}

const PUSH1 = 0x60
const PUSH4 = 0x63
const PUSH32 = 0x7f

/** Selectors with leading zeros are pushed with fewer bytes. */
function instructionsOf(code: Uint8Array): { opcodes: ReadonlySet<number>; selectors: ReadonlySet<string> } {
  const opcodes = new Set<number>()
  const selectors = new Set<string>()
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!
    opcodes.add(opcode)
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const width = opcode - PUSH1 + 1
    if (opcode <= PUSH4)
      selectors.add(
        Buffer.from(code.subarray(at + 1, at + 1 + width))
          .toString('hex')
          .padStart(8, '0'),
      )
    at += width
  }
  return { opcodes, selectors }
}
