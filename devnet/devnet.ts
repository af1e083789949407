// A complete devnet in this thread: the chain, its server, and the simulated users.
import { bytesToBigint, hexToAddress, hexToBytes } from '../src/chain/bytes/hex.ts'
import { keccak256 } from '../src/chain/bytes/keccak.ts'
import type { Log } from '../src/lib/log.ts'
import { startCallsThread } from './calls-thread.ts'
import type { DepositRequest, DevnetChain } from './chain/chain.ts'
import { createDevnetChain, forgetDevnetChain } from './chain/create-devnet-chain.ts'
import type { DevnetFork } from './genesis/genesis-state.ts'
import { DEFAULT_CALL_TIMEOUT_MS } from './rpc/executions.ts'
import { FEED_PATH, startServer } from './server.ts'
import { runTraffic, type TrafficOptions } from './traffic/driver.ts'
import type { Deposit } from './traffic/model/transact.ts'

export type DevnetOptions = {
  /** 0 picks a free port. */
  readonly port: number
  readonly chainId: number
  readonly blockMs: number
  /** 0 makes whole blocks only. */
  readonly flashblockMs: number
  /** Transactions per second of the simulated users; 0 sends none. */
  readonly tps: number
  readonly seed: string
  /** Of every block. */
  readonly fork?: DevnetFork
  /** Rules that no common specification has: `DEVNET_OWN_RULES`. */
  readonly ownRules?: boolean
  /** Blocks back to which the state is available: `DEVNET_HISTORY_BLOCKS`. */
  readonly historyBlocks?: number | undefined
  /** `DEVNET_CALL_TIMEOUT_MS`. */
  readonly callTimeoutMs?: number
  /** The folder that stores the chain; null keeps it in memory. */
  readonly folder: string | null
  /** Deletes what the folder contains. */
  readonly reset: boolean
  /** `by hand`: only `devnet_step` and `devnet_seal` make blocks. */
  readonly pace: 'clock' | 'by hand'
}

export type Devnet = DevnetAddresses & { stop(): Promise<void> }

export type DevnetAddresses = {
  readonly url: string
  readonly wsUrl: string
  readonly feedUrl: string
}

export async function startDevnet(options: DevnetOptions, log: Log): Promise<Devnet> {
  const { port, tps, seed, folder, reset, pace, callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS, ...rest } = options
  if (reset && folder !== null) forgetDevnetChain(folder)
  const chain = createDevnetChain({ ...rest, seed, folder, log })
  const calls = startCallsThread(chain, { callTimeoutMs, log })
  const server = await startServer({ chain, port, log, executions: calls })
  const url = `http://127.0.0.1:${server.port}`
  const wsUrl = `ws://127.0.0.1:${server.port}`
  const stopping = new AbortController()
  const running = pace === 'clock' ? chain.run(stopping.signal) : Promise.resolve()
  const simulating = simulateUsers(
    chain,
    { url, tps, seed: numberFrom(seed), ownRules: options.ownRules, signal: stopping.signal },
    log,
  )
  return {
    url,
    wsUrl,
    feedUrl: `${wsUrl}${FEED_PATH}`,
    async stop() {
      stopping.abort()
      await Promise.all([running, simulating])
      await server.stop()
      await calls.stop()
      await chain.close()
    },
  }
}

/** Simulated users are ordinary clients of the node; only their deposits, which come from L1, are given to the chain directly. */
async function simulateUsers(chain: DevnetChain, traffic: TrafficOptions, log: Log): Promise<void> {
  for await (const event of runTraffic(traffic)) {
    if (event.type === 'deposit') chain.deposit(depositRequest(event.deposit))
    else if (event.type === 'refused')
      log.debug({ reason: event.reason }, 'devnet: a simulated transaction was refused')
  }
}

function depositRequest({ from, to, mint, value, data, gas }: Deposit): DepositRequest {
  return {
    from: hexToAddress(from),
    to: hexToAddress(to),
    mint,
    value,
    gasLimit: BigInt(gas),
    data: hexToBytes(data),
  }
}

const SEED_BYTES = 4

function numberFrom(seed: string): number {
  return Number(bytesToBigint(keccak256(new TextEncoder().encode(seed)), 0, SEED_BYTES))
}
