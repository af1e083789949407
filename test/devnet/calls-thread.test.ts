// A devnet executes calls on a replica of its chain, apart from the thread that makes blocks, and each until a deadline.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Devnet, DevnetOptions } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'

const SENDER = developers[0]!.address
const RECEIVER = '0x00000000000000000000000000000000000c0de5'
const PROBE = '0x00000000000000000000000000000000000c0de7'
/** Hashes nothing again and again, until its gas or its time is over. */
const LOOP = [{ to: PROBE }, 'latest', { [PROBE]: { code: '0x5b5f5f20505f56' } }] as const
const SEALS = 20

let devnet: Devnet | undefined
const folders: string[] = []
afterEach(async () => {
  await devnet?.stop()
  devnet = undefined
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function start(options: Partial<DevnetOptions> = {}): Promise<string> {
  devnet = await startStillDevnet(options)
  return devnet.url
}

/** What code at the block reads as the balance of the receiver. */
function balanceInCall(url: string, block: unknown): Promise<string> {
  const code = `0x73${RECEIVER.slice(2)}315f5260205ff3`
  return rpc(url, 'eth_call', { to: PROBE }, block, { [PROBE]: { code } }).then(
    (word: string) => `0x${BigInt(word).toString(16)}`,
  )
}

async function seal(url: string): Promise<`0x${string}`> {
  await rpc(url, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x1' })
  return rpc(url, 'devnet_seal')
}

test('a devnet makes its blocks while calls loop, and answers other calls between', async () => {
  const url = await start({ callTimeoutMs: 60_000 })
  await balanceInCall(url, 'latest')
  const answered: string[] = []
  // The stop below cuts them off.
  const loop = () =>
    ask(url, 'eth_call', ...LOOP).then(
      () => answered.push('loop'),
      () => undefined,
    )
  const loops = Array.from({ length: 4 }, loop)
  for (let i = 0; i < SEALS; i++) {
    await rpc(url, 'devnet_seal')
    answered.push('block')
  }
  expect(await balanceInCall(url, 'latest')).toBe('0x0')
  expect(answered).toEqual(Array(SEALS).fill('block'))
  await devnet!.stop()
  devnet = undefined
  await Promise.all(loops)
})

test('a call of the devnet that takes too long is refused by name', async () => {
  const url = await start({ callTimeoutMs: 50 })
  for (const method of ['eth_call', 'eth_estimateGas']) {
    const { error } = await ask(url, method, ...LOOP)
    expect(error).toMatchObject({ code: -32000, message: 'execution aborted (timeout = 50 ms)' })
  }
})

test('calls of the devnet see its flashblocks, blocks and reorgs as its own answers do', async () => {
  const url = await start()
  const agree = async (block: unknown, expected: string) => {
    expect(await rpc(url, 'eth_getBalance', RECEIVER, block)).toBe(expected)
    expect(await balanceInCall(url, block)).toBe(expected)
  }
  await rpc(url, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x1' })
  await rpc(url, 'devnet_step')
  await agree('pending', '0x1')
  await agree('latest', '0x0')
  const first = await rpc(url, 'devnet_seal')
  const second = await seal(url)
  await agree('latest', '0x2')
  await agree({ blockHash: first }, '0x1')
  await rpc(url, 'devnet_reorg', '0x1')
  const { error } = await ask(url, 'eth_call', { to: PROBE }, { blockHash: second })
  expect(error?.message).toBe('header not found')
  await agree('latest', await rpc(url, 'eth_getBalance', RECEIVER, 'latest'))
  const proof = await rpc(url, 'eth_getProof', RECEIVER, [], 'latest')
  expect(proof.balance).toBe(await rpc(url, 'eth_getBalance', RECEIVER, 'latest'))
})

test('a devnet that was stopped executes calls on the chain that its folder stores', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-calls-'))
  folders.push(folder)
  let url = await start({ folder })
  await seal(url)
  await devnet!.stop()
  url = await start({ folder })
  await seal(url)
  expect(await balanceInCall(url, '0x1')).toBe('0x1')
  expect(await balanceInCall(url, 'latest')).toBe('0x2')
  expect(await rpc(url, 'trace_block', '0x1')).not.toEqual([])
})

test('a devnet has the state of as many blocks as its setting says', async () => {
  const url = await start({ historyBlocks: 64 })
  for (let i = 0; i < 66; i++) await rpc(url, 'devnet_seal')
  for (const [method, ...params] of [
    ['eth_getBalance', RECEIVER],
    ['eth_call', { to: PROBE }],
  ] as const) {
    expect((await ask(url, method, ...params, '0x2')).error).toBeUndefined()
    expect((await ask(url, method, ...params, '0x1')).error?.message).toMatch(
      /^historical state 0x\w+ is not available$/,
    )
  }
})
