// A node that plays a recorded chain and lies, stalls or breaks off on request. It lies beside the repository and needs packages that
// are among ours: a copy of it under node_modules finds them there.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { freePort } from './free-port.ts'

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url))
const copy = fileURLToPath(new URL('../../node_modules/.cache/tape/', import.meta.url))

export const RECORDED_CHAIN = `${shared}fixtures/chain2k.jsonl.gz`
export const hasTape = existsSync(RECORDED_CHAIN)
if (!hasTape) console.log('no recorded chain beside the repository: nothing is played from it')

export type Fault = { readonly kind: string; readonly p: number; readonly method?: string }

export type Tape = {
  readonly url: string
  /** What the tape answers: its state, with the number of faults `injected`. */
  control(command: {
    readonly head?: number
    readonly latencyMs?: number
    readonly fault?: Fault | null
    readonly reorg?: { readonly depth: number }
  }): Promise<{ readonly head: number; readonly headHash: string; readonly injected: number; readonly calls: object }>
  stop(): Promise<void>
}

export async function startTape(chain: string = RECORDED_CHAIN): Promise<Tape> {
  const port = await freePort()
  const child = spawn(process.execPath, [copyOfTape(), chain, port], { stdio: ['ignore', 'pipe', 'inherit'] })
  await listening(child)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async control(command) {
      const response = await fetch(`${url}/ctl`, { method: 'POST', body: JSON.stringify(command) })
      return (await response.json()) as Awaited<ReturnType<Tape['control']>>
    },
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** A chain of the first blocks only: quick to load, and quick to seal again after a reorg. */
export function beginningOf(chain: string, blocks: number): string {
  mkdirSync(copy, { recursive: true })
  const lines = gunzipSync(readFileSync(chain)).toString().split('\n', blocks)
  return written(`first-${blocks}.jsonl`, lines.join('\n'))
}

/** The hashes package of ours spells its paths with an ending. */
function copyOfTape(): string {
  mkdirSync(copy, { recursive: true })
  const [tape] = ['tape-upstream.mjs', 'chain-hash.mjs'].map((file) =>
    written(file, readFileSync(`${shared}tools/checks/${file}`, 'utf8').replace('hashes/sha3', 'hashes/sha3.js')),
  )
  return tape!
}

/** All at once: another test may be reading it. */
function written(file: string, text: string): string {
  const draft = `${copy}${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, copy + file)
  return copy + file
}

async function listening(child: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.startsWith('tape:')) {
      child.stdout!.resume()
      return
    }
  }
  throw new Error('the tape ended before it listened')
}
