// One standard JSON input through one compiler: from the cache, or by the pool.
import type { Compiler } from '../compilers/compiler.ts'
import type { StandardInput } from '../input/standard-input.ts'
import type { CompilerOutput } from '../matching/compiled-contract.ts'
import type { FailureCode } from '../matching/verdict.ts'
import type { CompilePool } from './pool.ts'
import { type CompileOutcome, type Limits, limitsFor } from './program.ts'
import { type ResultCache, resultKey } from './result-cache.ts'

export type Compile = (job: CompileJob, signal: AbortSignal) => Promise<Compiled>

export type CompileJob = {
  readonly compiler: Compiler
  readonly input: StandardInput
  readonly outputSelection: Readonly<Record<string, unknown>>
}

export type Compiled =
  | { readonly type: 'output'; readonly output: CompilerOutput }
  | {
      readonly type: 'failed'
      readonly code: FailureCode
      readonly message: string
      readonly errors: readonly string[]
    }

const MAX_ERRORS = 20
const MAX_ERROR_CHARS = 2_000

export type CompileParts = { pool: CompilePool; cache?: ResultCache; limits?: (input: StandardInput) => Limits }

export function createCompile({ pool, cache, limits = defaultLimits }: CompileParts): Compile {
  return async ({ compiler, input, outputSelection }, signal) => {
    const text = JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } })
    const key = resultKey(compiler.build, text)
    const known = await cache?.get(key)
    if (known != null) return outputOf(known)
    const outcome = await pool.compile(compiler.program, text, { limits: limits(input), signal })
    if (outcome.type !== 'output') return failed(outcome)
    const compiled = outputOf(outcome.output)
    if (compiled.type === 'output' || compiled.code === 'compiler_error') await cache?.set(key, outcome.output)
    return compiled
  }
}

function defaultLimits({ settings }: StandardInput): Limits {
  return limitsFor({ viaIr: settings.viaIR === true })
}

function outputOf(text: string): Compiled {
  let output: CompilerOutput
  try {
    output = JSON.parse(text)
  } catch {
    const errors = [text.slice(0, MAX_ERROR_CHARS)]
    return { type: 'failed', code: 'compiler_crashed', message: 'The compiler did not answer with JSON', errors }
  }
  // Vyper has errors without a severity; warnings always say that they are one.
  const errors = (output.errors ?? []).filter(({ severity }) => severity !== 'warning' && severity !== 'info')
  if (errors.length === 0) return { type: 'output', output }
  const texts = errors
    .slice(0, MAX_ERRORS)
    .map(({ formattedMessage, message }) => (formattedMessage ?? message ?? '').trim().slice(0, MAX_ERROR_CHARS))
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`
  return {
    type: 'failed',
    code: 'compiler_error',
    message: `The compiler reports ${count}: ${texts[0]}`,
    errors: texts,
  }
}

function failed(outcome: Exclude<CompileOutcome, { type: 'output' }>): Compiled {
  return {
    type: 'failed',
    code: failureOf(outcome),
    message: outcome.message,
    errors: [],
  }
}

function failureOf(outcome: Exclude<CompileOutcome, { type: 'output' }>): FailureCode {
  switch (outcome.type) {
    case 'busy':
      return 'verifier_busy'
    case 'crashed':
      return 'compiler_crashed'
    case 'over':
      return overLimit[outcome.limit]
  }
}

const overLimit = {
  time: 'compiler_timeout',
  memory: 'compiler_out_of_memory',
  output: 'compiler_output_too_large',
} as const
