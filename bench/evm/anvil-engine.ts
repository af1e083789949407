// anvil in its own process, asked over HTTP in batches as an explorer would; its CPU time is read from the kernel, so Linux only.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressToHex, bytesToHex, hexToBytes, toQuantity, wordToHex } from '../../src/chain/bytes/hex.ts'
import type { Call, Engine } from './engine.ts'
import { block, state, trader } from './workload.ts'

const BATCH = 100
const PORT = 18_545
const ENDPOINT = `http://127.0.0.1:${PORT}`
const TICK_MS = 10
const START_ATTEMPTS = 100

/** Null where there is no binary for this machine, or no /proc to read its CPU time from. */
export async function startAnvil(): Promise<Engine | null> {
  const binary = anvilBinary()
  if (binary === null || !existsSync('/proc/self/stat')) return null
  const anvil = spawn(binary, ['-p', `${PORT}`, '-q', '--hardfork', 'prague', '--gas-limit', `${block.gasLimit}`], {
    stdio: 'ignore',
  })
  process.once('exit', () => anvil.kill())
  await untilReady()
  await load()
  const requestFor = ({ to, data }: Call, id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_call',
    params: [{ from: addressToHex(trader), to: addressToHex(to), data: bytesToHex(data) }, 'latest'],
  })
  return {
    name: `anvil (HTTP, ${BATCH} a batch)`,
    async output(call) {
      const [answer] = await post([requestFor(call, 0)])
      return hexToBytes(answer!.result)
    },
    async cpuMs(call, count) {
      const bodyOf = (size: number) => JSON.stringify(Array.from({ length: size }, (_, i) => requestFor(call, i)))
      const full = bodyOf(BATCH)
      const before = cpuMsOf(anvil)
      for (let left = count; left > 0; left -= BATCH) await postText(left >= BATCH ? full : bodyOf(left))
      return cpuMsOf(anvil) - before
    },
    stop: () => void anvil.kill(),
  }
}

type Answer = { readonly result: string; readonly error?: unknown }

function anvilBinary(): string | null {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
  } catch {
    return null
  }
}

async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    try {
      await rpc('eth_chainId', [])
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error('anvil does not answer')
}

async function load(): Promise<void> {
  for (const [address, { balance, nonce, codeHash }] of state.accounts) {
    const account = addressToHex(address)
    await rpc('anvil_setBalance', [account, toQuantity(balance)])
    await rpc('anvil_setNonce', [account, toQuantity(nonce)])
    const code = state.codes.get(codeHash)
    if (code !== undefined) await rpc('anvil_setCode', [account, bytesToHex(code.bytes)])
    for (const [slot, value] of state.slots.get(address) ?? []) {
      await rpc('anvil_setStorageAt', [account, wordToHex(slot), wordToHex(value)])
    }
  }
}

async function rpc(method: string, params: unknown[]): Promise<void> {
  const [answer] = await post([{ jsonrpc: '2.0', id: 0, method, params }])
  if (answer?.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
}

async function post(requests: unknown[]): Promise<Answer[]> {
  return JSON.parse(await postText(JSON.stringify(requests)))
}

async function postText(body: string): Promise<string> {
  const response = await fetch(ENDPOINT, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return response.text()
}

/** User and system time are the 12th and 13th field after the command's name, which may hold anything. */
function cpuMsOf({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
