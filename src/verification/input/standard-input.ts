// The compilers' standard JSON input, as far as a verifier lets it through: files by content only, outputs chosen by us.
import { z } from 'zod'

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

// A `urls` would make a native compiler read files or fetch addresses: only `content` is let in.
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

/** From JSON text, or from what it was parsed to. */
export function parseStandardInput(given: unknown): ParsedStandardInput {
  let value = given
  if (typeof given === 'string') {
    if (Buffer.byteLength(given) > MAX_INPUT_BYTES) return problem(`it is larger than ${MAX_INPUT_BYTES} bytes`)
    try {
      value = JSON.parse(unwrapped(given))
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
  return { type: 'input', input: { language, sources, settings: kept(settings), ...(interfaces && { interfaces }) } }
}

/** Some tools wrap the JSON in a second pair of braces. */
function unwrapped(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith('{{') && trimmed.endsWith('}}') ? trimmed.slice(1, -1) : trimmed
}

/** Which outputs are made is our choice, a model checker only costs time, and stopping early leaves no code. */
function kept({ outputSelection: _, stopAfter: __, modelChecker: ___, ...rest }: Record<string, unknown>) {
  return rest
}

function problem(message: string): ParsedStandardInput {
  return {
    type: 'problem',
    message: `The standard JSON input cannot be used: ${message}`,
  }
}
