// geth and op-geth as processes of their own: a data folder that is deleted, free ports, and the end when the caller says so.
// cspell:ignore authrpc jwtsecret disabletxpoolgossip syncmode gcmode networkid nodiscover maxpeers ipcdisable
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { capture } from '../../../scripts/run.ts'
import { rpc } from '../devnet.ts'
import { freePort } from '../free-port.ts'
import { buildGeth } from './build.ts'
import type { EngineAddress } from './engine-api.ts'
import type { GenesisFile } from './genesis-file.ts'

export type GethNode = { readonly url: string; readonly wsUrl: string; stop(): Promise<void> }

/** Blocks come by the Engine API. */
export type OpGethNode = GethNode & { readonly engine: EngineAddress }

/** `archive` has every state; `default` is what op-geth does without a setting: it has the states of the last 128 blocks. */
export type StateMode = 'archive' | 'default'

export async function startOpGeth({ genesis, mode }: { genesis: GenesisFile; mode: StateMode }): Promise<OpGethNode> {
  const [folder, enginePort] = [newFolder(), await freePort()]
  const secret = join(folder, 'jwt.hex')
  writeFileSync(secret, JWT_SECRET)
  const flags = [
    '--authrpc.port',
    enginePort,
    '--authrpc.jwtsecret',
    secret,
    '--rollup.disabletxpoolgossip',
    '--syncmode',
    'full',
  ]
  const modeFlags = mode === 'archive' ? ['--gcmode', 'archive'] : []
  const node = await startGeth({
    program: await buildGeth('op-geth'),
    genesis,
    folder,
    flags: [...flags, ...modeFlags],
    // Path-based storage has old states too, from its history, unless it is switched off.
    scheme: 'hash',
  })
  return { ...node, engine: { url: `http://127.0.0.1:${enginePort}`, jwtSecret: JWT_SECRET } }
}

/** Makes a block as soon as there are transactions to put into it, and none otherwise. */
export async function startGethDev(genesis: GenesisFile): Promise<GethNode> {
  const flags = ['--dev', '--authrpc.port', await freePort()]
  return startGeth({ program: await buildGeth('geth'), genesis, folder: newFolder(), flags, scheme: 'path' })
}

/** Guards nothing: the port listens on this machine only. */
const JWT_SECRET = '11'.repeat(32)
const START_TIMEOUT_MS = 60_000
const POLL_MS = 100
const APIS = 'eth,net,web3,debug,txpool'

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'firstlight-geth-'))
}

type Settings = {
  readonly program: string
  readonly genesis: GenesisFile
  readonly folder: string
  readonly flags: readonly string[]
  readonly scheme: 'hash' | 'path'
}

async function startGeth({ program, genesis, folder, flags, scheme }: Settings): Promise<GethNode> {
  const [port, wsPort] = [await freePort(), await freePort()]
  const genesisFile = join(folder, 'genesis.json')
  writeFileSync(genesisFile, JSON.stringify(genesis))
  const storage = ['--datadir', join(folder, 'data'), '--state.scheme', scheme]
  const { code, output } = await capture(program, ['init', ...storage, genesisFile])
  if (code !== 0) throw new Error(`geth refused the genesis:\n${output}`)
  const network = ['--networkid', String(genesis.config.chainId), '--nodiscover', '--maxpeers', '0', '--port', '0']
  const http = ['--http', '--http.port', port, '--http.api', APIS, '--ws', '--ws.port', wsPort, '--ws.api', APIS]
  const quiet = ['--ipcdisable', '--verbosity', '2', '--cache', '128']
  const child = spawn(program, [...storage, ...network, ...http, ...quiet, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const printed = lastLines(child)
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill()
      await exit
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    await untilAnswering(child, url)
  } catch (cause) {
    await stop()
    throw new Error(`geth did not start; it printed:\n${printed()}`, { cause })
  }
  return { url, wsUrl: `ws://127.0.0.1:${wsPort}`, stop }
}

async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const isUp = await rpc(url, 'eth_chainId').then(
      () => true,
      () => false,
    )
    if (isUp) return
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`it does not answer after ${START_TIMEOUT_MS} ms`)
    await sleep(POLL_MS)
  }
}

const MAX_PRINTED = 10_000

function lastLines(child: ChildProcess): () => string {
  let printed = ''
  child.stderr!.on('data', (chunk) => {
    printed = `${printed}${chunk}`.slice(-MAX_PRINTED)
  })
  return () => printed
}
