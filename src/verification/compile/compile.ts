// Compiles one standard JSON input with one compiler: takes the output from the cache, or has the pool run the compiler.
import type { StandardInput } from '../input/standard-input.ts'
import type { CompilerOutput } from '../matching/compiled-contract.ts'
import type { FailureCode } from '../matching/verdict.ts'
import { type Compiler, type Limits, limitsFor, type RunResult } from './compiler.ts'
import type { OutputSelection } from './compiler-input.ts'
import type { CompilePool, SlotTimer } from './pool.ts'
import { type ResultCache, resultKey } from './result-cache.ts'

export type Compile = (job: CompileJob, signal: AbortSignal) => Promise<CompileResult>

export type CompileJob = {
  readonly compiler: Compiler
  readonly input: StandardInput
  readonly outputSelection: OutputSelection
}

export type CompileResult =
  | { readonly type: 'output'; readonly output: CompilerOutput }
  | {
      readonly type: 'failed'
      readonly code: FailureCode
      readonly message: string
      readonly errors: readonly string[]
    }

const MAX_ERRORS = 20
const MAX_ERROR_CHARS = 2_000

export type CompileParts = {
  pool: CompilePool
  cache?: ResultCache
  limits?: (input: StandardInput) => Limits
  timer?: SlotTimer | undefined
}

export function createCompile({ pool, cache, limits = defaultLimits, timer }: CompileParts): Compile {
  return async ({ compiler, input, outputSelection }, signal) => {
    const text = JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } })
    const key = resultKey(compiler.build, text)
    const cached = await cache?.get(key)
    if (cached !== undefined) return parseOutput(cached)
    const run = await pool.compile(compiler.program, text, { limits: limits(input), signal, timer })
    if (run.type !== 'output') return { type: 'failed', code: failureCodeOf(run), message: run.message, errors: [] }
    const compiled = parseOutput(run.output)
    // The errors of a compiler are as reproducible as its code; a crash is not.
    if (compiled.type === 'output' || compiled.code === 'compiler_error') await cache?.set(key, run.output)
    return compiled
  }
}

function defaultLimits({ settings }: StandardInput): Limits {
  return limitsFor({ viaIr: settings.viaIR === true })
}

function parseOutput(text: string): CompileResult {
  let output: CompilerOutput
  try {
    output = JSON.parse(text)
  } catch {
    const errors = [text.slice(0, MAX_ERROR_CHARS)]
    return { type: 'failed', code: 'compiler_crashed', message: 'The compiler did not answer with JSON', errors }
  }
  // Vyper reports errors without a severity; a warning always has one.
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

function failureCodeOf(run: Exclude<RunResult, { type: 'output' }>): FailureCode {
  switch (run.type) {
    case 'busy':
      return 'verifier_busy'
    case 'crashed':
      return 'compiler_crashed'
    case 'over':
      return overLimit[run.limit]
  }
}

const overLimit = {
  time: 'compiler_timeout',
  memory: 'compiler_out_of_memory',
  output: 'compiler_output_too_large',
} as const
