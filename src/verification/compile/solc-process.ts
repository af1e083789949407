// A process of its own around one soljson file: standard JSON inputs come in by stdin, outputs leave by descriptor 3, both in
// frames. The first frame out is the compiler's version. It ends when its stdin does, and when its parent is gone. The arguments
// are the wrapper and the soljson file: it may not look for them itself.
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createFrameReader, frameHeader } from './pipe-messages.ts'

const MAX_INPUT_BYTES = 32_000_000

// Compiling blocks this thread, so another one looks whether anybody still waits for the result.
const orphanWatch = new Worker(
  `const parent = process.ppid
   setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`,
  { eval: true },
)
orphanWatch.unref()

const [, , wrapperFile, soljsonFile] = process.argv
const require = createRequire(import.meta.url)
const wrap: (soljson: unknown) => Compiler = require(wrapperFile!)
type Compiler = { version: () => string; compile: (input: string) => string }

const out = new Socket({ fd: 3 })
function answer(text: string): void {
  const bytes = Buffer.from(text)
  out.write(frameHeader(bytes.length))
  out.write(bytes)
}

type Soljson = {
  cwrap: (name: string, returns: string, types: readonly string[]) => (...args: unknown[]) => unknown
  readonly lengthBytesUTF8: (text: string) => number
  readonly stringToUTF8: (text: string, pointer: number, maxBytes: number) => void
  readonly _solidity_alloc?: (bytes: number) => number
}

/** Strings go by the compiler's stack, which some megabytes overflow. Where it can, it takes its input from the heap. */
function takingInputFromHeap(soljson: Soljson): Soljson {
  const { cwrap, lengthBytesUTF8, stringToUTF8, _solidity_alloc: allocate } = soljson
  if (!allocate) return soljson
  soljson.cwrap = (name, returns, types) => {
    if (name !== 'solidity_compile') return cwrap(name, returns, types)
    const compile = cwrap(name, returns, ['number', ...types.slice(1)])
    return (input, ...rest) => {
      const bytes = lengthBytesUTF8(input as string) + 1
      const pointer = allocate(bytes)
      stringToUTF8(input as string, pointer, bytes)
      return compile(pointer, ...rest)
    }
  }
  return soljson
}

const compiler = wrap(takingInputFromHeap(require(soljsonFile!)))
answer(compiler.version())

const reader = createFrameReader(MAX_INPUT_BYTES, {
  onFrame: (input) => answer(compiler.compile(input)),
  onTooLong: () => process.exit(1),
})
process.stdin.on('data', (chunk) => reader.push(chunk))
process.stdin.on('end', () => process.exit(0))
