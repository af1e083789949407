// A chain whose clock moves only when a test moves it, and simulated users that fill its blocks.
import { bytesToHex, type Hex, hexToAddress, hexToBytes, toQuantity } from '../../src/chain/bytes/hex.ts'
import { type RecoveredTransaction, signTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { FEE_MARKET } from '../../src/chain/codec/transaction.ts'
import { call } from '../../src/evm/call/call.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { createLog } from '../../src/lib/log.ts'
import { developers } from '../genesis/accounts.ts'
import { createRandom } from '../traffic/model/random.ts'
import type { Action, Simulation } from '../traffic/model/transact.ts'
import { planDeployments, planNextAction } from '../traffic/plan.ts'
import { readChainModel } from '../traffic/read-chain.ts'
import type { Rpc } from '../traffic/read-contracts.ts'
import { signAction } from '../traffic/sign-action.ts'
import type { ChainEvent, DevnetChain } from './chain.ts'
import { createDevnetChain, type DevnetOptions } from './create-devnet-chain.ts'
import type { FlashblockMessage } from './flashblock-message.ts'

export const silentLog = createLog({ level: 'silent', pretty: false })

export type TestChain = {
  readonly chain: DevnetChain
  readonly messages: FlashblockMessage[]
  readonly events: ChainEvent[]
  readonly clock: { nowMs: () => number; sleepUntil: () => Promise<void>; move(ms: number): void }
}

export const START_MS = 1_760_000_000_000

export function createTestChain(options: Partial<DevnetOptions> & { startMs?: number } = {}): TestChain {
  let nowMs = options.startMs ?? START_MS
  const clock = {
    nowMs: () => nowMs,
    sleepUntil: async () => undefined,
    move: (ms: number) => {
      nowMs += ms
    },
  }
  const chain = createDevnetChain({
    chainId: 1_337_200,
    seed: 'test',
    blockMs: 1_000,
    flashblockMs: 200,
    folder: null,
    // What the tests of single parts were written for; those of the whole run at the default.
    fork: 'isthmus',
    log: silentLog,
    clock,
    ...options,
  })
  const messages: FlashblockMessage[] = []
  const events: ChainEvent[] = []
  chain.on((event) => {
    events.push(event)
    if (event.type === 'flashblock') messages.push(event.message)
  })
  return { chain, messages, events, clock }
}

export type TestTransaction = {
  /** Index of the developer. */
  from?: number
  nonce?: number
  to?: bigint | null
  value?: bigint
  data?: Uint8Array
  gas?: bigint
  tip?: bigint
  maxFee?: bigint
  chainId?: bigint
}

/** A transaction of a developer. */
export function signed(request: TestTransaction = {}): RecoveredTransaction {
  const { from = 0, nonce = 0, to = 0xb0bn, value = 1n, data = new Uint8Array(), gas = 21_000n } = request
  const { tip = 1_000_000_000n, maxFee = 3_000_000_000n, chainId = 1_337_200n } = request
  return signTransaction(
    {
      type: FEE_MARKET,
      chainId,
      nonce: BigInt(nonce),
      gasLimit: gas,
      to,
      value,
      data,
      maxPriorityFeePerGas: tip,
      maxFeePerGas: maxFee,
      accessList: [],
    },
    hexToBytes(developers[from]!.key),
  )
}

/** Sends a developer's transaction and returns its hash; throws if it is refused. */
export function send(chain: DevnetChain, request: TestTransaction = {}): Hex {
  const answer = chain.pool.add(signed(request).raw)
  if (answer.type === 'refused') throw new Error(answer.message)
  return answer.hash
}

export type TestTraffic = {
  /** Plans this many actions, and sends or deposits them. */
  act(count: number): void
}

/** Deploys the contracts (a few blocks) and returns the simulated users. */
export async function startTraffic({ chain, clock }: TestChain, seed = 7): Promise<TestTraffic> {
  const rpc = rpcOf(chain)
  const terms = () => ({ chainId: chain.chainId, baseFeeWei: chain.head().header.baseFeePerGas! })
  const perform = (action: Action) => {
    if (action.type === 'deposit') {
      const { from, to, mint, value, data, gas } = action
      chain.deposit({
        from: hexToAddress(from),
        to: hexToAddress(to),
        mint,
        value,
        data: hexToBytes(data),
        gasLimit: BigInt(gas),
      })
      return
    }
    const answer = chain.pool.add(hexToBytes(signAction(action, terms()).raw))
    if (answer.type === 'refused') throw new Error(`${action.label}: ${answer.message}`)
  }
  const beginning: Simulation = {
    model: await readChainModel(rpc, { settledAfter: 100, ownRules: false }),
    random: createRandom(seed),
  }
  for (const step of planDeployments(beginning)) perform(step)
  while (chain.pool.status().pending > 0) {
    chain.seal()
    clock.move(1_000)
  }
  const scene: Simulation = {
    model: await readChainModel(rpc, { settledAfter: 100, ownRules: false }),
    random: createRandom(seed),
  }
  return {
    act(count) {
      for (let i = 0; i < count; i++) perform(planNextAction(scene))
    },
  }
}

/** The part of a node that the simulated users need. */
function rpcOf(chain: DevnetChain): Rpc {
  const answer = (method: string, params: readonly unknown[]): Hex => {
    const state = chain.stateAt('pending')!
    switch (method) {
      case 'eth_getTransactionCount':
        return toQuantity(chain.pool.nextNonce(hexToAddress(params[0] as Hex)))
      case 'eth_getBalance':
        return toQuantity(state.account(hexToAddress(params[0] as Hex))?.balance ?? 0n)
      case 'eth_call': {
        const { to, data } = params[0] as { to: Hex; data: Hex }
        const message = { to: hexToAddress(to), data: hexToBytes(data) }
        return bytesToHex(call(new WorldState(state), chain.envOf(chain.head().header), message).output)
      }
      default:
        throw new Error(`${method} is not there`)
    }
  }
  return {
    batch: async (requests) => requests.map(({ method, params }) => ({ result: answer(method, params) })),
    request: async <T>(method: string, ...params: readonly unknown[]) => answer(method, params) as T,
  }
}

export function developer(index: number): bigint {
  return hexToAddress(developers[index]!.address)
}

export function balanceOf(chain: DevnetChain, address: bigint, at: number | 'pending' = 'pending'): bigint {
  return chain.stateAt(at)!.account(address)?.balance ?? 0n
}
