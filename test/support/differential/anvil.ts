// anvil as an OP chain that mines only on request, in a child process.
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'

export type Anvil = {
  readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T>
  /** All at once; the answers in order, an `Error` where one failed. */
  readonly batch: (calls: readonly RpcCall[]) => Promise<unknown[]>
  readonly stop: () => void
}

export type RpcCall = readonly [method: string, ...params: readonly unknown[]]

export async function startAnvil(port: number, chainId: bigint): Promise<Anvil> {
  const child = spawn(anvilBinary(), [
    ...['--port', `${port}`, '--quiet', '--network', 'optimism', '--chain-id', `${chainId}`],
    ...['--hardfork', 'isthmus', '--no-mining', '--order', 'fifo', '--gas-limit', '300000000'],
  ])
  const anvil = clientOf(`http://127.0.0.1:${port}`, child)
  for (let attempt = 0; attempt < STARTING_ATTEMPTS; attempt++) {
    if (await anvil.call('eth_chainId').catch(() => null)) return anvil
    await sleep(STARTING_PAUSE_MS)
  }
  child.kill()
  throw new Error('anvil did not start')
}

const STARTING_ATTEMPTS = 100
const STARTING_PAUSE_MS = 100

function anvilBinary(): string {
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${ARCHITECTURE}/bin/anvil`)
}

const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch

function clientOf(url: string, child: ChildProcess): Anvil {
  const batch = async (calls: readonly RpcCall[]): Promise<unknown[]> => {
    if (calls.length === 0) return []
    const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
    answers.sort((a, b) => a.id - b.id)
    return answers.map(({ result, error }) => (error === undefined ? result : new Error(error.message)))
  }
  return {
    batch,
    async call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
      const [answer] = await batch([[method, ...params]])
      if (answer instanceof Error) throw answer
      return answer as T
    },
    stop: () => child.kill(),
  }
}
