// A devnet with rules of its own, as a client meets it: milliseconds, a transaction type and a token that no other chain has.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signSponsored } from '../../devnet/chain/own-transaction.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers, simulatedUsers } from '../../devnet/genesis/accounts.ts'
import { bytesToHex, hexToAddress, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { FEE_MARKET } from '../../src/chain/codec/transaction.ts'
import { BASE_TIME } from '../../src/chain/rpc/block-time.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'
import { CODELESS_TOKEN, PAYER } from '../support/foreign-chain.ts'

const OWN_RULES = { ownRules: true, blockMs: 200, flashblockMs: 0 } as const
const BOB = '0x00000000000000000000000000000000000b0b00'
const EMPTY_CODE_HASH = keccak256('0x')
const MINT = '0x40c10f19'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startStillDevnet(OWN_RULES)
})
afterAll(() => devnet.stop())

function seal(url: string) {
  return rpc(url, 'devnet_seal')
}

function block(url: string, at: string) {
  return rpc(url, 'eth_getBlockByNumber', at, true)
}

/** A transaction of type 0x7d, signed by the first simulated user, who may mint the token. */
function sponsored(nonce: number, to: string, { value = 0n, data = '0x' }: { value?: bigint; data?: string } = {}) {
  const unsigned = {
    type: FEE_MARKET,
    chainId: 1_337_200n,
    nonce: BigInt(nonce),
    maxPriorityFeePerGas: 1_000_000n,
    maxFeePerGas: 3_000_000_000n,
    gasLimit: 200_000n,
    to: hexToAddress(to as `0x${string}`),
    value,
    data: hexToBytes(data as `0x${string}`),
    accessList: [],
  }
  const { raw, hash } = signSponsored(unsigned, hexToBytes(simulatedUsers[0]!.key))
  return { raw: bytesToHex(raw), hash }
}

async function balance(url: string, address: string) {
  return BigInt(await rpc(url, 'eth_getBalance', address, 'latest'))
}

describe('a devnet with rules of its own', () => {
  test('a devnet with rules of its own makes several blocks within one second, and says their times in milliseconds', async () => {
    for (let made = 0; made < 8; made++) {
      await sleep(20)
      await seal(devnet.url)
    }
    const head = Number(await rpc(devnet.url, 'eth_blockNumber'))
    const blocks = await Promise.all(
      Array.from({ length: 8 }, (_, i) => block(devnet.url, `0x${(head - 7 + i).toString(16)}`)),
    )
    const seconds = blocks.map(({ timestamp }) => Number(timestamp))
    const timesMs = blocks.map(({ timestampMs }) => Number(timestampMs))
    expect(new Set(seconds).size).toBeLessThan(8)
    expect(new Set(timesMs).size).toBe(8)
    expect(timesMs).toEqual(timesMs.toSorted((a, b) => a - b))
    expect(timesMs.map((ms) => Math.floor(ms / 1_000))).toEqual(seconds)
    const [, time] = blocks[0].transactions
    expect(time).toMatchObject({
      type: '0x7e',
      to: `0x${BASE_TIME.toString(16)}`,
      blockTimestampMs: blocks[0].timestampMs,
    })
    const [, receipt] = await rpc(devnet.url, 'eth_getBlockReceipts', blocks[0].number)
    expect(receipt).toMatchObject({ status: '0x1', blockTimestampMs: blocks[0].timestampMs })
    const { timestampMs } = await rpc(devnet.url, 'eth_getHeaderByNumber', blocks[0].number)
    expect(timestampMs).toBe(blocks[0].timestampMs)
  })

  test('a devnet with rules of its own replaces blocks by others of the same times', async () => {
    const before = await block(devnet.url, 'latest')
    await rpc(devnet.url, 'devnet_reorg', '0x3')
    const after = await block(devnet.url, 'latest')
    expect(after.hash).not.toBe(before.hash)
    expect([after.number, after.timestampMs]).toEqual([before.number, before.timestampMs])
  })

  test('a devnet with rules of its own has no Flashblocks where their time is 0: `pending` is the head', async () => {
    await seal(devnet.url)
    const [pending, latest] = [await block(devnet.url, 'pending'), await block(devnet.url, 'latest')]
    expect(pending.hash).toBe(latest.hash)
  })

  test('a devnet with rules of its own takes transactions of type 0x7d, whose fees the sponsor pays', async () => {
    const sender = simulatedUsers[0]!.address
    const before = [await balance(devnet.url, sender), await balance(devnet.url, PAYER)]
    const { raw, hash } = sponsored(0, BOB, { value: 7n })
    expect(await rpc(devnet.url, 'eth_sendRawTransaction', raw)).toBe(hash)
    await seal(devnet.url)
    const receipt = await rpc(devnet.url, 'eth_getTransactionReceipt', hash)
    expect(receipt).toMatchObject({ type: '0x7d', status: '0x1', payer: PAYER })
    expect(await rpc(devnet.url, 'eth_getTransactionByHash', hash)).toMatchObject({ type: '0x7d', payer: PAYER, hash })
    expect(await balance(devnet.url, sender)).toBe(before[0]! - 7n)
    expect(await balance(devnet.url, PAYER)).toBeLessThan(before[1]!)
    expect(await balance(devnet.url, BOB)).toBe(7n)
    const [, , trace] = await rpc(devnet.url, 'debug_traceBlockByNumber', receipt.blockNumber, { tracer: 'callTracer' })
    expect(trace).toMatchObject({ txHash: hash, result: { type: 'CALL', to: BOB, value: '0x7' } })
  })

  test('a devnet with rules of its own refuses such a transaction where the rules are those of the OP Stack', async () => {
    const usual = await startStillDevnet()
    try {
      expect(await ask(usual.url, 'eth_sendRawTransaction', sponsored(0, BOB).raw)).toMatchObject({
        error: { message: expect.stringContaining('0x7d') },
      })
      const { timestampMs } = await block(usual.url, 'latest')
      expect(timestampMs).toBeUndefined()
    } finally {
      await usual.stop()
    }
  })

  test('a devnet with rules of its own has a token without code, which answers calls and logs transfers', async () => {
    const mint = `${MINT}${BOB.slice(2).padStart(64, '0')}${'2a'.padStart(64, '0')}`
    const { raw, hash } = sponsored(1, CODELESS_TOKEN, { data: mint })
    await rpc(devnet.url, 'eth_sendRawTransaction', raw)
    await seal(devnet.url)
    expect(await rpc(devnet.url, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      logs: [{ address: CODELESS_TOKEN, blockTimestampMs: expect.stringMatching(/^0x/) }],
    })
    const call = async (functionName: 'symbol' | 'balanceOf', args: readonly unknown[] = []) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName, args } as never)
      const answer = await rpc(devnet.url, 'eth_call', { to: CODELESS_TOKEN, data }, 'latest')
      return decodeFunctionResult({ abi: erc20Abi, functionName, data: answer })
    }
    expect(await call('symbol')).toBe('BRYL')
    expect(await call('balanceOf', [BOB])).toBe(42n)
    expect(await rpc(devnet.url, 'eth_getCode', CODELESS_TOKEN, 'latest')).toBe('0x')
    const { codeHash } = await rpc(devnet.url, 'eth_getProof', CODELESS_TOKEN, [], 'latest')
    expect(codeHash).toBe(EMPTY_CODE_HASH)
  })

  test('a devnet with rules of its own goes on after a restart with what it had', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'own-rules-'))
    const first = await startStillDevnet({ ...OWN_RULES, folder })
    const { raw, hash } = sponsored(0, BOB, { value: 1n })
    await rpc(first.url, 'eth_sendRawTransaction', raw)
    const sealed = await seal(first.url)
    await first.stop()
    const again = await startStillDevnet({ ...OWN_RULES, folder })
    try {
      expect((await block(again.url, 'latest')).hash).toBe(sealed)
      expect(await rpc(again.url, 'eth_getTransactionReceipt', hash)).toMatchObject({ type: '0x7d', payer: PAYER })
      await rpc(again.url, 'eth_sendRawTransaction', sponsored(1, developers[0]!.address).raw)
      await seal(again.url)
      expect((await block(again.url, 'latest')).transactions).toHaveLength(3)
    } finally {
      await again.stop()
    }
  })
})
