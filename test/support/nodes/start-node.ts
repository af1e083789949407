// Nodes that lived for a while with the same traffic and then stand still.
import { setTimeout as sleep } from 'node:timers/promises'
import { createBlockFromRPC } from '@ethereumjs/block'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { developers, simulatedUsers } from '../../../devnet/genesis/accounts.ts'
import { startAnvil } from '../../../devnet/genesis/anvil-for-tests.ts'
import { DEFAULT_DEVNET_FORK, type DevnetFork } from '../../../devnet/genesis/genesis-state.ts'
import { runTraffic } from '../../../devnet/traffic/driver.ts'
import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import { rpc, startStillDevnet } from '../devnet.ts'
import { copyLabels, feedBlock } from '../judges/engine-api.ts'
import { createFuzzTraffic } from '../judges/fuzz-traffic.ts'
import { ethereumGenesis, opGenesis } from '../judges/genesis-file.ts'
import { type StateMode, startGethDev, startOpGeth } from '../judges/geth-process.ts'
import type { Hex } from '../node-facts.ts'

export const nodeNames = ['devnet', 'op-geth archive', 'op-geth default', 'geth --dev', 'anvil'] as const

export type NodeName = (typeof nodeNames)[number]

export type StoodStill = {
  readonly url: string
  /** The node that tells what is right: the same, or one of the same chain that has every state. */
  readonly factsUrl: string
  /** Bytes of a block, where the node's own figure is wrong. */
  readonly sizeOf?: (block: never) => number
  stop(): Promise<void>
}

/** Addresses with a balance that no block needs to name. */
export const FUNDED: readonly Hex[] = [
  ...[...developers, ...simulatedUsers].map(({ address }) => address),
  // Base fee, L1 fee and operator fee go there.
  ...['19', '1a', '1b'].map((end): Hex => `0x42${'0'.repeat(36)}${end}`),
]

export function startNode(name: NodeName, blocks: number): Promise<StoodStill> {
  switch (name) {
    case 'devnet':
      return startBusyDevnet(blocks)
    case 'op-geth archive':
      return startFedOpGeth(blocks, 'archive')
    case 'op-geth default':
      return startFedOpGeth(blocks, 'default')
    case 'geth --dev':
      return startBusyGeth(blocks)
    case 'anvil':
      return startBusyAnvil(blocks)
  }
}

const CHAIN_ID = 1_337_200
const SEED = 7
const SIMULATED_TPS = 40
const FUZZ_A_BLOCK = 3
const BLOCK_EVERY_MS = 100
const STILL_MS = 3_000

async function startBusyDevnet(blocks: number, fork: DevnetFork = DEFAULT_DEVNET_FORK): Promise<StoodStill> {
  const devnet = await startStillDevnet({ tps: SIMULATED_TPS, fork })
  const fuzz = createFuzzTraffic({ url: devnet.url, seed: SEED, takesDeposits: true })
  for (let height = 1; height <= blocks; height++) {
    await fuzz.send(FUZZ_A_BLOCK)
    await rpc(devnet.url, 'devnet_seal')
    await sleep(BLOCK_EVERY_MS)
  }
  return { url: devnet.url, factsUrl: devnet.url, stop: () => devnet.stop() }
}

/** The devnet's chain at Jovian, block by block by the Engine API. An archive of the same chain says what is right. */
async function startFedOpGeth(blocks: number, mode: StateMode): Promise<StoodStill> {
  const devnet = await startBusyDevnet(blocks, 'jovian')
  const genesis = await opGenesis(devnet.url, 'jovian')
  const archive = await fedOpGeth('archive')
  const node = mode === 'archive' ? archive : await fedOpGeth(mode)
  return {
    url: node.url,
    factsUrl: archive.url,
    stop: async () => {
      await node.stop()
      if (node !== archive) await archive.stop()
      await devnet.stop()
    },
  }

  async function fedOpGeth(mode: StateMode) {
    const opGeth = await startOpGeth({ genesis, mode })
    for (let height = 1; height <= blocks; height++) {
      const { status, validationError } = await feedBlock(opGeth.engine, devnet.url, height)
      if (status !== 'VALID') throw new Error(`op-geth: block ${height} is ${status}: ${validationError}`)
    }
    await copyLabels(opGeth.engine, devnet.url)
    return opGeth
  }
}

async function startBusyGeth(blocks: number): Promise<StoodStill> {
  const geth = await startGethDev(ethereumGenesis(CHAIN_ID))
  await live(geth.url, async () => Number(await rpc(geth.url, 'eth_blockNumber')) >= blocks)
  await untilStill(geth.url)
  return { url: geth.url, factsUrl: geth.url, stop: () => geth.stop() }
}

/** What was sent last must be in a block before anybody looks: the pool is empty, and no block comes any more. */
async function untilStill(url: string): Promise<void> {
  for (let head = -1; ; ) {
    await sleep(STILL_MS)
    const { pending } = await rpc(url, 'txpool_status')
    const now = Number(await rpc(url, 'eth_blockNumber'))
    if (Number(pending) === 0 && now === head) return
    head = now
  }
}

async function startBusyAnvil(blocks: number): Promise<StoodStill> {
  const anvil = await startAnvil({ chainId: CHAIN_ID, args: ['--no-mining'] })
  const mine = () => rpc(anvil.url, 'evm_mine')
  await live(anvil.url, async () => {
    await mine()
    return Number(await rpc(anvil.url, 'eth_blockNumber')) >= blocks
  })
  await mine()
  return { url: anvil.url, factsUrl: anvil.url, sizeOf: encodedSize, stop: () => anvil.stop() }
}

/** Anvil leaves the empty list of withdrawals out. */
function encodedSize(block: Parameters<typeof createBlockFromRPC>[0]): number {
  const common = createCustomCommon({ chainId: CHAIN_ID }, Mainnet, { hardfork: Hardfork.Prague })
  const encoded = createBlockFromRPC(block, [], { common })
  if (bytesToHex(encoded.hash()) !== block.hash) throw new Error(`block ${block.number} is encoded wrongly`)
  return encoded.serialize().length
}

/** Simulated users and random transactions, until `isEnough`. */
async function live(url: string, isEnough: () => Promise<boolean>): Promise<void> {
  const stopping = new AbortController()
  const users = (async () => {
    for await (const _ of runTraffic({ url, tps: SIMULATED_TPS, seed: SEED, signal: stopping.signal }));
  })()
  const fuzz = createFuzzTraffic({ url, seed: SEED, takesDeposits: false })
  while (!(await isEnough())) {
    await fuzz.send(FUZZ_A_BLOCK)
    await sleep(BLOCK_EVERY_MS)
  }
  stopping.abort()
  await users
}
