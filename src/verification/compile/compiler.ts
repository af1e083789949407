// A compiler that can be run: which one it is, how it is started, what it may use, and what one run can come to.
import type { CompilerId } from '../input/compiler-version.ts'

export type Compiler = CompilerId & {
  /** The whole text by which it names itself: two builds of one version may make different code. */
  readonly build: string
  readonly program: Program
  readonly origin: 'COMPILERS_DIR' | 'package' | 'fetched'
}

export type Program =
  /** The compiler as JavaScript, run by our own Node in a process that stays for the next input. */
  | { readonly type: 'soljson'; readonly file: string }
  /** An executable that reads one input from stdin, writes the output to stdout and ends. */
  | {
      readonly type: 'command'
      readonly file: string
      readonly args: readonly string[]
      readonly readable: readonly string[]
    }

/** A process that has to wait for a processor may take longer than `wallMs`: see `isTimeOver` in process-limits.ts. */
export type Limits = { readonly wallMs: number; readonly memoryBytes: number; readonly outputBytes: number }

export type RunResult =
  | { readonly type: 'output'; readonly output: string }
  | { readonly type: 'over'; readonly limit: 'time' | 'memory' | 'output'; readonly message: string }
  | { readonly type: 'crashed'; readonly message: string }
  | { readonly type: 'busy'; readonly message: string }

const WALL_MS = 60_000
/** The IR pipeline is three to five times slower on the same source. */
const VIA_IR_WALL_MS = 120_000
const MEMORY_BYTES = 2 ** 31
const OUTPUT_BYTES = 64_000_000

export function limitsFor({ viaIr }: { viaIr: boolean }): Limits {
  return {
    wallMs: viaIr ? VIA_IR_WALL_MS : WALL_MS,
    memoryBytes: MEMORY_BYTES,
    outputBytes: OUTPUT_BYTES,
  }
}

export function timeOrMemoryExceeded(limit: 'time' | 'memory', { wallMs, memoryBytes }: Limits): RunResult {
  const allowed = limit === 'time' ? `${wallMs / 1000} s` : `${Math.round(memoryBytes / 2 ** 20)} MiB`
  return { type: 'over', limit, message: `The compiler took more than ${allowed} and was stopped` }
}
