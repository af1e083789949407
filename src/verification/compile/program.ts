// A compiler as something that can be run, and what came of running it.

export type Program =
  /** The compiler as JavaScript, run by our own Node in a process that stays for the next input. */
  | { readonly type: 'soljson'; readonly file: string }
  /** An executable that reads the input and writes the output, once. */
  | { readonly type: 'command'; readonly file: string; readonly args: readonly string[] }

/** `wallMs` is longer for a process that has to wait for its processor: see watch.ts. */
export type Limits = { readonly wallMs: number; readonly memoryBytes: number; readonly outputBytes: number }

export type CompileOutcome =
  | { readonly type: 'output'; readonly output: string }
  | { readonly type: 'over'; readonly limit: 'time' | 'memory' | 'output'; readonly message: string }
  | { readonly type: 'crashed'; readonly message: string }
  | { readonly type: 'busy'; readonly message: string }

/** How long a compiler may take to load before its first input. */
export const LOAD_MS = 60_000
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
