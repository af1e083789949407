// The engine against others, in calls per CPU-second of the same run: anvil over HTTP, which is native, and @ethereumjs/evm, which is not.
// Then 500 ERC-20 transfers against the sketch that this engine was written after. Aims: balanceOf 2 times anvil and 20 times
// @ethereumjs/evm, a swap 0.5 times anvil, 3.9M gas of arithmetic 0.15 times anvil.
import { bytesToHex } from '../src/chain/bytes/hex.ts'
import { startAnvil } from './evm/anvil-engine.ts'
import type { Call, Engine } from './evm/engine.ts'
import { createEthereumjsEngine } from './evm/ethereumjs-engine.ts'
import { createOwnEngine, ownTransfersCpuMs } from './evm/own-engine.ts'
import { loadSketchTransfers } from './evm/sketch-engine.ts'
import { calls, TRANSFER_COUNT } from './evm/workload.ts'

const ROUNDS = 5
/** CPU time of one round of one engine; anvil's clock ticks every 10 ms. */
const ROUND_MS = 400

const own = createOwnEngine()
const anvil = await startAnvil()
if (anvil === null) console.log('anvil has no binary for this machine, or its CPU time cannot be read: left out')
const others = [anvil, await createEthereumjsEngine()].filter((engine) => engine !== null)

try {
  for (const [name, call] of Object.entries(calls)) await compareCalls(name, call)
} finally {
  anvil?.stop()
}
await compareTransfers()

async function compareCalls(name: string, call: Call): Promise<void> {
  const expected = bytesToHex(await own.output(call))
  const engines = [own, ...others]
  const counts = new Map<Engine, number>()
  for (const engine of engines) {
    if (bytesToHex(await engine.output(call)) !== expected) throw new Error(`${engine.name} answers ${name} otherwise`)
    counts.set(engine, await countFor(engine, call))
  }
  // The engines alternate, so that a slow moment of the machine hits all alike.
  const rates = new Map(engines.map((engine) => [engine, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const engine of engines) {
      const count = counts.get(engine)!
      rates.get(engine)!.push((1000 * count) / (await engine.cpuMs(call, count)))
    }
  }
  const ownRate = median(rates.get(own)!)
  console.log(`${name}: ${perSecond(ownRate)} by ${own.name}`)
  for (const engine of others) {
    const rate = median(rates.get(engine)!)
    console.log(`  ${(ownRate / rate).toFixed(2)} times ${engine.name}, ${perSecond(rate)}`)
  }
}

/** The number of calls that fill a round; measuring it also warms the engine up. */
async function countFor(engine: Engine, call: Call): Promise<number> {
  for (let count = 1; ; count *= 4) {
    const ms = await engine.cpuMs(call, count)
    if (ms > ROUND_MS / 4) return Math.ceil((count * ROUND_MS) / ms)
  }
}

async function compareTransfers(): Promise<void> {
  const sketch = await loadSketchTransfers()
  const [ownMs, sketchMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < 4 * ROUNDS; round++) {
    ownMs.push(await ownTransfersCpuMs())
    if (sketch !== null) sketchMs.push(await sketch())
  }
  console.log(`${TRANSFER_COUNT} ERC-20 transfers: ${median(ownMs).toFixed(1)} ms of CPU by ${own.name}`)
  if (sketch === null) return console.log('  the sketch is not beside this repository: no ratio')
  const ratio = median(ownMs) / median(sketchMs)
  console.log(`  ${ratio.toFixed(2)} times the sketch's ${median(sketchMs).toFixed(1)} ms`)
}

function perSecond(rate: number): string {
  return `${rate < 100 ? rate.toFixed(1) : Math.round(rate)} a CPU-second`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
