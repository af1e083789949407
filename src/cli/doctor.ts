// Checks everything that Firstlight needs, and prints for each problem what is wrong and what to do.
import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { keyRingOf } from '../app/access-part.ts'
import { withDatabase } from '../app/database-part.ts'
import { FULL_BYTES } from '../app/database-watch.ts'
import { askNode, nodeAbilities, nodeTimeMs, whyNotReth } from '../app/node-check.ts'
import type { Config } from '../app/options.ts'
import { toQuantity } from '../chain/bytes/hex.ts'
import { withoutCredentials } from '../lib/log.ts'
import { proveWritable } from '../store/engine/open.ts'
import { blockHashAt, rangesStored } from '../store/read/chain-state.ts'
import { findSandbox } from '../verification/compile/sandbox.ts'
import type { Command } from './command.ts'
import { type Finding, feedFinding } from './doctor-feed.ts'

type Check = {
  name: string
  check: (config: Config) => Promise<Finding> | Finding
  /** Advice for the case that the check itself throws. */
  advice?: string
}

const MIN_NODE = 24
const MIN_FREE_BYTES = 1_000_000_000
const MAX_CLOCK_SKEW_MS = 2_000
const HEALTH_TIMEOUT_MS = 2_000

export const doctor: Command = {
  summary: 'Check settings, database, node and feed, and advise what to do',
  usage: 'doctor',
  flags: { json: { describe: 'Print JSON' } },
  run: async ({ flags, configuration: { settings }, print }) => {
    const findings: (Finding & { name: string })[] = []
    for (const { name, check, advice } of checks) {
      const finding = await Promise.resolve()
        .then(() => check(settings))
        .catch((error: Error): Finding => ({ state: 'failed', what: error.message, ...(advice && { advice }) }))
      findings.push({ name, ...finding })
      if (flags.json === undefined) print(lineOf(name, finding))
    }
    if (flags.json !== undefined) print(JSON.stringify(findings, null, 2))
    return findings.some(({ state }) => state === 'failed') ? 'failed' : 'done'
  },
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

function lineOf(name: string, { state, what, advice }: Finding): string {
  return `${MARKS[state]}  ${name.padEnd(12)}  ${what}${advice ? `\n${' '.repeat(23)}-> ${advice}` : ''}`
}

const nodeVersion: Check = {
  name: 'Node',
  check: () =>
    Number(process.versions.node.split('.')[0]) >= MIN_NODE
      ? { state: 'ok', what: process.version }
      : {
          state: 'failed',
          what: `${process.version} is too old`,
          advice: `use Node ${MIN_NODE}; \`npm start\` installs it`,
        },
}

const dataFolder: Check = {
  name: 'Data folder',
  advice: 'choose a DATA_DIR that this user can write to',
  check: ({ DATA_DIR }) => {
    mkdirSync(DATA_DIR, { recursive: true })
    accessSync(DATA_DIR, constants.W_OK)
    const { bavail, bsize } = statfsSync(DATA_DIR)
    const freeBytes = bavail * bsize
    const free = `${(freeBytes / 1e9).toFixed(freeBytes < 10e9 ? 1 : 0)} GB free`
    if (freeBytes < FULL_BYTES) {
      return {
        state: 'failed',
        what: `${DATA_DIR}, the disk is full`,
        advice: 'free disk space: nothing can be written',
      }
    }
    return freeBytes < MIN_FREE_BYTES
      ? {
          state: 'warning',
          what: `${DATA_DIR}, only ${free}`,
          advice: 'free some disk space before the database fills the disk',
        }
      : { state: 'ok', what: `${DATA_DIR}, ${free}` }
  },
}

const databaseCheck: Check = {
  name: 'Database',
  advice: 'check DATABASE_URL and that PostgreSQL runs there; for SQLite, the permissions of DATA_DIR',
  check: (config) =>
    withDatabase(config, async (database, migrations) => {
      await proveWritable(database)
      const where = config.DATABASE_URL ? withoutCredentials(config.DATABASE_URL) : 'SQLite'
      return { state: 'ok', what: `${where}, schema ${migrations.length > 0 ? 'updated' : 'up to date'}` }
    }),
}

const keysCheck: Check = {
  name: 'API keys',
  check: (config) =>
    withDatabase(config, async (database) => {
      const keyRing = keyRingOf(config, database)
      await keyRing.proveSeal()
      const active = (await keyRing.list()).filter(({ revokedMs }) => revokedMs === null).length
      return active > 0
        ? { state: 'ok', what: `${active} active` }
        : { state: 'warning', what: 'none', advice: 'create one: firstlight keys create --name <text>' }
    }),
}

const portCheck: Check = {
  name: 'Port',
  check: ({ HOST, PORT }) =>
    new Promise((resolve) => {
      const probe = createServer()
      probe.once('error', async ({ message }) => {
        const isOurs = await isFirstlight(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`)
        if (isOurs) resolve({ state: 'ok', what: `Firstlight is running at ${HOST}:${PORT}` })
        else
          resolve({
            state: 'failed',
            what: message,
            advice: 'choose another PORT, or stop the process that listens there',
          })
      })
      probe.listen(PORT, HOST, () => probe.close(() => resolve({ state: 'ok', what: `${HOST}:${PORT} is free` })))
    }),
}

async function isFirstlight(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    return ((await response.json()) as { status?: unknown }).status === 'alive'
  } catch {
    return false
  }
}

const nodeCheck: Check = {
  name: 'Chain node',
  advice: 'check RPC_URL, and that the node runs and serves JSON-RPC there',
  check: async ({ RPC_URL }) => {
    if (!RPC_URL) return { state: 'warning', what: 'RPC_URL is not set', advice: '`start` needs it; `dev` does not' }
    const chainIds = await Promise.all(RPC_URL.map(async (url) => Number(await askNode(url, 'eth_chainId'))))
    if (new Set(chainIds).size > 1) {
      return {
        state: 'failed',
        what: `the nodes serve different chains: ${chainIds.join(', ')}`,
        advice: 'point RPC_URL at one chain',
      }
    }
    const client = await askNode(RPC_URL[0]!, 'web3_clientVersion')
    return { state: 'ok', what: `chain id ${chainIds[0]}, ${client}` }
  },
}

const abilitiesCheck: Check = {
  name: 'Node can',
  check: async ({ RPC_URL }) => {
    const texts = await Promise.all((RPC_URL ?? []).map((url) => nodeAbilities(url)))
    if (texts.length === 0) return { state: 'ok', what: 'nothing to ask' }
    if (texts.some((text) => text === undefined)) return { state: 'warning', what: 'the node did not say in time' }
    const what = texts.join('; ')
    const isPoor = /state of the last|no traces/.test(what)
    const advice = 'what cannot be computed is read at the head; an archive node with traces is faster and knows more'
    return isPoor ? { state: 'warning', what, advice } : { state: 'ok', what }
  },
}

/** A chain that was wiped, or another one, has another block where the index begins. */
const sameChainCheck: Check = {
  name: 'Indexed chain',
  check: (config) =>
    withDatabase(config, async (database): Promise<Finding> => {
      const [range] = await rangesStored(database)
      const url = config.RPC_URL?.[0]
      if (range === undefined || url === undefined) return { state: 'ok', what: 'nothing to compare' }
      const height = range.firstHeight
      const block = (await askNode(url, 'eth_getBlockByNumber', [toQuantity(height), false])) as {
        hash?: string
      } | null
      if (block?.hash === (await blockHashAt(database, height))) return { state: 'ok', what: 'is the node’s' }
      return {
        state: 'failed',
        what: `block ${height} of the index is not in the node’s chain: the chain was wiped, or is another one`,
        advice: 'point RPC_URL at the right node, or run firstlight resync to index this one',
      }
    }),
}

const clockCheck: Check = {
  name: 'Clock',
  check: async ({ RPC_URL }) => {
    if (!RPC_URL) return { state: 'ok', what: `${new Date().toISOString()} (nothing to compare with)` }
    const timeMs = await nodeTimeMs(RPC_URL[0]!)
    if (timeMs === undefined) return { state: 'ok', what: 'the node does not report its time' }
    // The header has whole seconds, so on average it is half a second behind.
    const skewMs = Date.now() - (timeMs + 500)
    return Math.abs(skewMs) > MAX_CLOCK_SKEW_MS
      ? {
          state: 'warning',
          what: `differs from the node’s by ${(skewMs / 1000).toFixed(1)} s`,
          advice: 'synchronise the clocks (NTP)',
        }
      : { state: 'ok', what: 'agrees with the node’s' }
  },
}

const clientCheck: Check = {
  name: 'Node client',
  check: async ({ RPC_URL, FLASHBLOCKS_ENABLED, RPC_TYPE, RPC_TYPE_CHECK }) => {
    if (!RPC_URL || !FLASHBLOCKS_ENABLED) return { state: 'ok', what: 'any client works without Flashblocks' }
    const advice = 'run reth and set RPC_TYPE=reth, or set FLASHBLOCKS_ENABLED=false'
    const reasons = await Promise.all(
      RPC_URL.map(async (url) => whyNotReth(String(await askNode(url, 'web3_clientVersion')))),
    )
    const reason = RPC_TYPE === 'reth' ? reasons.find((each) => each !== null) : `RPC_TYPE is ${RPC_TYPE}`
    if (!reason) return { state: 'ok', what: 'can be used with Flashblocks' }
    return { state: RPC_TYPE_CHECK === 'off' ? 'warning' : 'failed', what: `${reason}: Flashblocks need reth`, advice }
  },
}

const feedCheck: Check = {
  name: 'Feed',
  check: async ({ FLASHBLOCKS_ENABLED, FLASHBLOCKS_URL, RPC_URL }) => {
    if (!FLASHBLOCKS_ENABLED) return { state: 'ok', what: 'off' }
    if (!FLASHBLOCKS_URL) {
      return {
        state: 'failed',
        what: 'FLASHBLOCKS_ENABLED is true, but FLASHBLOCKS_URL is not set',
        advice: 'set the WebSocket address of the feed',
      }
    }
    const findings = await Promise.all(FLASHBLOCKS_URL.map((url) => feedFinding(url, RPC_URL?.[0])))
    const worst = ['failed', 'warning', 'ok']
      .map((state) => findings.find((each) => each.state === state))
      .find(Boolean)!
    return { ...worst, what: findings.map(({ what }) => what).join('; ') }
  },
}

const sandboxCheck: Check = {
  name: 'Compilers',
  check: async ({ ROLES }) => {
    if (!ROLES.includes('verifier')) return { state: 'ok', what: 'off: this process has no role verifier' }
    const { describe, isClosed } = await findSandbox()
    if (isClosed) return { state: 'ok', what: describe }
    return { state: 'warning', what: describe, advice: 'install bubblewrap, and allow user namespaces' }
  },
}

const checks: readonly Check[] = [
  nodeVersion,
  dataFolder,
  databaseCheck,
  keysCheck,
  portCheck,
  nodeCheck,
  abilitiesCheck,
  sameChainCheck,
  clockCheck,
  clientCheck,
  feedCheck,
  sandboxCheck,
]
