// The compilers' standard JSON input: how a submitted one is parsed, and what its settings say. A file comes by its content only,
// and the outputs are chosen by the verifier.

import { z } from 'zod'
import { type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { parseJson } from '../../lib/json/parse-json.ts'

export type StandardInput = {
  readonly language: 'Solidity' | 'Yul' | 'Vyper'
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  /** Vyper: interfaces by file. */
  readonly interfaces?: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
}

export type ParsedStandardInput =
  | { readonly type: 'input'; readonly input: StandardInput }
  | { readonly type: 'problem'; readonly message: string }

export const MAX_INPUT_BYTES = 10_000_000
const MAX_FILES = 2_000
const MAX_PATH_CHARS = 512
const MAX_PROBLEM_CHARS = 1_000

// `urls` would make a native compiler read files or fetch URLs, so only `content` is accepted.
const source = z.object({ content: z.string('has no content; urls are not followed') })
const settings = z.record(z.string(), z.unknown())

const schema = z.object({
  language: z.enum(['Solidity', 'Yul', 'Vyper'], 'language must be Solidity, Yul or Vyper'),
  sources: z
    .record(z.string().min(1).max(MAX_PATH_CHARS), source, 'sources must be an object of files')
    .refine((files) => Object.keys(files).length > 0, 'sources has no file')
    .refine((files) => Object.keys(files).length <= MAX_FILES, `sources has more than ${MAX_FILES} files`),
  interfaces: settings.optional(),
  settings: settings.default({}),
})

/** Accepts JSON text, or the value that JSON text was parsed to. */
export function parseStandardInput(given: unknown): ParsedStandardInput {
  let value = given
  if (typeof given === 'string') {
    if (Buffer.byteLength(given) > MAX_INPUT_BYTES) return problem(`it is larger than ${MAX_INPUT_BYTES} bytes`)
    try {
      value = parseJson(unwrapped(given))
    } catch (error) {
      return problem(`it is not JSON: ${(error as Error).message}`)
    }
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    return problem(issue.path.length > 1 ? `${issue.path.slice(0, -1).join('.')} ${issue.message}` : issue.message)
  }
  const { language, sources, interfaces, settings } = parsed.data
  return {
    type: 'input',
    input: { language, sources, settings: withoutOwnChoices(settings), ...(interfaces && { interfaces }) },
  }
}

/** Some tools wrap the JSON in a second pair of braces. */
function unwrapped(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith('{{') && trimmed.endsWith('}}') ? trimmed.slice(1, -1) : trimmed
}

/** The verifier selects the outputs itself. A model checker only costs time, and `stopAfter` would leave out the code. */
function withoutOwnChoices({
  outputSelection: _,
  stopAfter: __,
  modelChecker: ___,
  ...rest
}: Record<string, unknown>): Settings {
  return rest
}

function problem(message: string): ParsedStandardInput {
  return {
    type: 'problem',
    // It may name a file of the input.
    message: `The standard JSON input cannot be used: ${message.slice(0, MAX_PROBLEM_CHARS)}`,
  }
}

type Settings = Readonly<Record<string, unknown>>

/** A library whose address the compiler was given, or that was linked later. */
export type LinkedLibrary = { readonly file: string; readonly name: string; readonly address: Hex }

/** The default of solc. */
const DEFAULT_RUNS = 200

export function optimizerOf({ optimizer, optimize }: Settings): { enabled: boolean; runs: number } {
  // Vyper has `optimize`, a mode, instead.
  if (!isRecord(optimizer))
    return { enabled: optimize !== undefined && optimize !== false && optimize !== 'none', runs: DEFAULT_RUNS }
  const runs = typeof optimizer.runs === 'number' ? optimizer.runs : DEFAULT_RUNS
  return { enabled: optimizer.enabled === true, runs }
}

/** Empty where the compiler's default holds. */
export function evmVersionOf({ evmVersion }: Settings): string {
  return typeof evmVersion === 'string' ? evmVersion : ''
}

/** Whether solc puts metadata at the end of the code: it does unless `metadata.appendCBOR` is false. */
export function appendsMetadata({ metadata }: Settings): boolean {
  return !(isRecord(metadata) && metadata.appendCBOR === false)
}

export function librariesIn({ libraries }: Settings): readonly LinkedLibrary[] {
  if (!isRecord(libraries)) return []
  return Object.entries(libraries).flatMap(([file, inFile]) =>
    isRecord(inFile)
      ? Object.entries(inFile).flatMap(([name, address]) => (isAddress(address) ? [{ file, name, address }] : []))
      : [],
  )
}

function isRecord(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAddress(value: unknown): value is Hex {
  try {
    return typeof value === 'string' && hexToBytes(value).length === 20
  } catch {
    return false
  }
}
