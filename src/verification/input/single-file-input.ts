// A single file and its few settings, as the standard JSON inputs that may have made the code: the likeliest first.
import { isAtLeast } from '../compilers/compiler.ts'
import { trailingMetadata } from '../matching/code-metadata.ts'
import type { StandardInput } from './standard-input.ts'
import type { SingleFile } from './submission.ts'

export type SingleFileQuestion = {
  readonly file: SingleFile
  readonly name: string
  readonly version: string
  readonly runtime: Uint8Array
}

export function solidityInputs({ file, name, version, runtime }: SingleFileQuestion): readonly StandardInput[] {
  const metadata = isAtLeast(version, '0.6.0') ? metadataSettings(version, runtime) : null
  return [
    {
      language: 'Solidity',
      sources: { [`${name}.sol`]: { content: file.source } },
      settings: {
        optimizer: { enabled: file.optimizer, runs: file.runs },
        ...(file.evmVersion !== null && { evmVersion: file.evmVersion }),
        ...(file.viaIr && { viaIR: true }),
        ...(metadata && { metadata }),
      },
    },
  ]
}

/** The user is not asked what kind of hash the code ends in: the code on chain shows it. */
function metadataSettings(version: string, runtime: Uint8Array): Readonly<Record<string, unknown>> | null {
  const found = trailingMetadata(runtime)
  if (found === null) return isAtLeast(version, '0.8.18') ? { appendCBOR: false } : null
  if (found.hash === null) return { bytecodeHash: 'none' }
  return found.hash.type === 'bzzr1' ? { bytecodeHash: 'bzzr1' } : null
}

/** Forms for Vyper ask about an optimizer that users know nothing of: what the compiler does by itself comes first. */
export function vyperInputs({ file, name, version }: SingleFileQuestion): readonly StandardInput[] {
  const input = (settings: Readonly<Record<string, unknown>>): StandardInput => ({
    language: 'Vyper',
    sources: { [`${name}.vy`]: { content: file.source } },
    settings: { ...(file.evmVersion !== null && { evmVersion: file.evmVersion }), ...settings },
  })
  const modes = isAtLeast(version, '0.3.10') ? ['none', 'codesize'] : [false]
  return [input({}), ...modes.map((optimize) => input({ optimize }))]
}
