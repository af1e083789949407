// The reference sketch, read in place from outside the repository; its two dependencies are ours.
import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ownCpuMs } from './engine.ts'
import { block, state, transfers } from './workload.ts'

const SKETCH = new URL('../../../shared/sketches/evm/exec.mjs', import.meta.url)

type SketchAccount = { bal: bigint; nonce: bigint; code: Uint8Array; hash: bigint }
type Sketch = {
  readonly State: new (base: {
    account(address: bigint): SketchAccount | null
    storage(address: bigint, slot: bigint): bigint
  }) => object
  readonly precompiles: ReadonlyMap<bigint, unknown>
  decodeTx(raw: Uint8Array): object
  runTx(world: object, env: object, transaction: object, context: { cumulative: number }): { status: number }
}

/** CPU time to execute the same transfers, or null where the sketch is not there. */
export async function loadSketchTransfers(): Promise<(() => Promise<number>) | null> {
  if (!existsSync(SKETCH)) return null
  lendDependencies(['hash-wasm', 'secp256k1'])
  const sketch: Sketch = await import(SKETCH.href)
  const decoded = transfers.map(({ raw }) => sketch.decodeTx(raw))
  const accounts = new Map([...state.accounts].map(([address, account]) => [address, toSketch(account)]))
  const base = {
    account: (address: bigint) => accounts.get(address) ?? null,
    storage: (address: bigint, slot: bigint) => state.storage(address, slot),
  }
  const env = () => ({
    ...block,
    number: BigInt(block.number),
    timestamp: BigInt(block.timestamp),
    precompiles: sketch.precompiles,
    blockhash: () => 0n,
  })
  return () =>
    ownCpuMs(() => {
      const world = new sketch.State(base)
      const [blockEnv, context] = [env(), { cumulative: 0 }]
      for (const transaction of decoded) {
        if (sketch.runTx(world, blockEnv, transaction, context).status !== 1) throw new Error('a transfer failed')
      }
    })
}

function toSketch({ balance, nonce, codeHash }: { balance: bigint; nonce: bigint; codeHash: bigint }): SketchAccount {
  return {
    bal: balance,
    nonce,
    code: state.codes.get(codeHash)?.bytes ?? new Uint8Array(0),
    hash: codeHash,
  }
}

function lendDependencies(names: readonly string[]): void {
  const { resolve } = createRequire(import.meta.url)
  const urls = new Map(names.map((name) => [name, pathToFileURL(resolve(name)).href]))
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      return url === undefined ? next(specifier, context) : { url, format: 'commonjs', shortCircuit: true }
    },
  })
}
