// The process around one soljson file. Standard JSON inputs arrive on stdin, outputs leave on descriptor 3, both as pipe messages.
// The first message out is the version of the compiler. The process ends when its stdin does, and when its parent is gone. Its
// arguments are the solc wrapper and the soljson file: the permission model does not let it search for them.
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createMessageReader, messageHeader } from './pipe-messages.ts'

const MAX_INPUT_BYTES = 32_000_000

// Compiling blocks this thread, so another thread checks that the parent is still there.
const orphanCheck = new Worker(
  `const parent = process.ppid
   setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`,
  { eval: true },
)
orphanCheck.unref()

const [, , wrapperFile, soljsonFile] = process.argv
const require = createRequire(import.meta.url)
const wrap: (soljson: unknown) => Compiler = require(wrapperFile!)
type Compiler = { version: () => string; compile: (input: string) => string }

const out = new Socket({ fd: 3 })
function answer(text: string): void {
  const bytes = Buffer.from(text)
  out.write(messageHeader(bytes.length))
  out.write(bytes)
}

type Soljson = {
  cwrap: (name: string, returns: string, types: readonly string[]) => (...args: unknown[]) => unknown
  readonly lengthBytesUTF8: (text: string) => number
  readonly stringToUTF8: (text: string, pointer: number, maxBytes: number) => void
  readonly _solidity_alloc?: (bytes: number) => number
}

/** The wrapper passes strings on the compiler's stack, which some megabytes overflow. Where the compiler can allocate, use its heap. */
function withInputOnHeap(soljson: Soljson): Soljson {
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

const compiler = wrap(withInputOnHeap(require(soljsonFile!)))
answer(compiler.version())

const reader = createMessageReader(MAX_INPUT_BYTES, {
  onMessage: (input) => answer(compiler.compile(input)),
  onTooLong: () => process.exit(1),
})
process.stdin.on('data', (chunk) => reader.push(chunk))
process.stdin.on('end', () => process.exit(0))
