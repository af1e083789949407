// Calls, estimates and simulations of a devnet that makes blocks only on request.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'
import { deployWrappedEther } from '../support/wrapped-ether.ts'

const SENDER = developers[0]!.address
const RECEIVER = '0x00000000000000000000000000000000000c0de5'
const OTHER = '0x00000000000000000000000000000000000c0de6'
const REVERTING_INIT = '0x60006000fd'
/** Returns what is at slot 0. */
const SLOT_READER = '0x60005460005260206000f3'
/** EIP-2935. */
const HISTORY_STORAGE = '0x0000f90827f1c53a10cb7a02335b175320002935'

let devnet: Devnet
let url: string
beforeAll(async () => {
  devnet = await startStillDevnet()
  url = devnet.url
})
afterAll(() => devnet.stop())

function send(transaction: object): Promise<`0x${string}`> {
  return rpc(url, 'eth_sendTransaction', { from: SENDER, ...transaction })
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}

describe('a call', () => {
  test('a call sees the state and the block as the caller would have them', async () => {
    const stateOverride = { [RECEIVER]: { code: SLOT_READER, stateDiff: { [`0x${'0'.repeat(64)}`]: word(5) } } }
    expect(await rpc(url, 'eth_call', { to: RECEIVER }, 'latest', stateOverride)).toBe(word(5))
    const numberReader = { [RECEIVER]: { code: '0x4360005260206000f3' } }
    expect(await rpc(url, 'eth_call', { to: RECEIVER }, 'latest', numberReader, { number: '0x99' })).toBe(word(0x99))
  })

  test('a call lists what it touches', async () => {
    const { address } = await deployWrappedEther(url)
    const data = `0x70a08231${SENDER.slice(2).padStart(64, '0')}`
    const { accessList, gasUsed } = await rpc(
      url,
      'eth_createAccessList',
      { from: SENDER, to: address, data },
      'latest',
    )
    expect(accessList).toMatchObject([{ address, storageKeys: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] }])
    expect(Number(gasUsed)).toBeGreaterThan(21_000)
  })

  test('a call estimates the exact gas that a transaction needs', async () => {
    const { address } = await deployWrappedEther(url)
    const gas = await rpc(url, 'eth_estimateGas', { from: SENDER, to: address, data: '0xd0e30db0', value: '0x1' })
    const less = `0x${(Number(gas) - 1).toString(16)}`
    const tooLittle = await send({ to: address, data: '0xd0e30db0', value: '0x1', gas: less })
    await rpc(url, 'devnet_seal')
    expect(await rpc(url, 'eth_getTransactionReceipt', tooLittle)).toMatchObject({ status: '0x0' })
    const enough = await send({ to: address, data: '0xd0e30db0', value: '0x1', gas })
    await rpc(url, 'devnet_seal')
    expect(await rpc(url, 'eth_getTransactionReceipt', enough)).toMatchObject({ status: '0x1' })
  })
})

describe('a simulation', () => {
  test('a simulation runs each block on the one before', async () => {
    const value = '0x64'
    const [first, second] = await rpc(url, 'eth_simulateV1', {
      blockStateCalls: [
        { stateOverrides: { [RECEIVER]: { balance: '0x64' } }, calls: [{ from: RECEIVER, to: OTHER, value }] },
        {
          calls: [
            { from: OTHER, to: RECEIVER, value },
            { from: OTHER, data: REVERTING_INIT },
          ],
        },
      ],
    })
    const head = await rpc(url, 'eth_getBlockByNumber', 'latest', false)
    expect(first).toMatchObject({ parentHash: head.hash, calls: [{ status: '0x1', gasUsed: '0x5208', logs: [] }] })
    expect(second).toMatchObject({ parentHash: first.hash, number: `0x${(Number(head.number) + 2).toString(16)}` })
    expect(second.calls).toMatchObject([{ status: '0x1' }, { status: '0x0', error: { code: 3 } }])
    expect(second.stateRoot).not.toBe(first.stateRoot)
  })

  test('a simulation begins its blocks as real ones begin, with the hash of the one before', async () => {
    const head = await rpc(url, 'eth_getBlockByNumber', 'latest', false)
    const hashOf = (number: number) => ({ to: HISTORY_STORAGE, data: `0x${number.toString(16).padStart(64, '0')}` })
    const [first, second] = await rpc(url, 'eth_simulateV1', {
      blockStateCalls: [
        { calls: [hashOf(Number(head.number))] },
        { calls: [hashOf(Number(head.number)), hashOf(Number(head.number) + 1)] },
      ],
    })
    expect(first.calls).toMatchObject([{ returnData: head.hash }])
    expect(second.calls).toMatchObject([{ returnData: head.hash }, { returnData: first.hash }])
  })

  test('a simulation fills the heights in between', async () => {
    const head = Number(await rpc(url, 'eth_blockNumber'))
    const number = `0x${(head + 3).toString(16)}`
    const blocks = await rpc(url, 'eth_simulateV1', { blockStateCalls: [{ blockOverrides: { number } }, {}] })
    expect(blocks.map((block: { number: string }) => Number(block.number) - head)).toEqual([1, 2, 3, 4])
  })

  test('a simulation holds calls to the rules of transactions where asked to', async () => {
    const strictly = (call: object) =>
      ask(url, 'eth_simulateV1', {
        blockStateCalls: [{ calls: [{ from: SENDER, to: OTHER, ...call }] }],
        validation: true,
      })
    const maxFeePerGas = '0x2540be400'
    expect((await strictly({})).error).toMatchObject({ code: -38012 })
    expect((await strictly({ maxFeePerGas, nonce: '0x0' })).error).toMatchObject({ code: -38010 })
    expect((await strictly({ maxFeePerGas, nonce: '0xfff' })).error).toMatchObject({ code: -38011 })
    expect((await strictly({ maxFeePerGas, gas: '0x5208' })).result).toMatchObject([{ calls: [{ status: '0x1' }] }])
  })

  test('a simulation refuses what cannot be', async () => {
    const poor = { blockStateCalls: [{ calls: [{ from: OTHER, to: RECEIVER, value: '0xffffffffffffffffffffff' }] }] }
    expect((await ask(url, 'eth_simulateV1', poor)).error).toMatchObject({ code: -38014 })
    const back = { blockStateCalls: [{ blockOverrides: { number: '0x0' } }] }
    expect((await ask(url, 'eth_simulateV1', back)).error).toMatchObject({ code: -38020 })
  })
})
