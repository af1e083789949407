// The devnet in a thread of its own: deep calls, a clean end, a restart.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ask, rpc, startLivelyDevnet } from '../support/devnet.ts'

const folder = mkdtempSync(join(tmpdir(), 'devnet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CONTRACT = '0x00000000000000000000000000000000000c0de5'
/** Calls itself with all its gas, and returns one more than it got back. */
const RECURSION = '0x60206000600060006000305af15060005160010160005260206000f3'

describe('a devnet in a thread', () => {
  test('a devnet in a thread lets contracts call as deep as their gas takes them', async () => {
    const devnet = await startLivelyDevnet({ fork: 'jovian' })
    const depth = await rpc(devnet.url, 'eth_call', { to: CONTRACT }, 'latest', { [CONTRACT]: { code: RECURSION } })
    expect(Number(depth)).toBeGreaterThan(500)
    await devnet.stop()
  })

  test('a devnet in a thread goes on where it was stopped, and forgets its chain on request', async () => {
    const first = await startLivelyDevnet({ folder, tps: 20 })
    while (Number(await rpc(first.url, 'eth_blockNumber')) < 8) await new Promise((resolve) => setTimeout(resolve, 100))
    const { number, hash } = await rpc(first.url, 'eth_getBlockByNumber', 'latest', false)
    await first.stop()
    await expect(ask(first.url, 'eth_chainId')).rejects.toThrow()

    const second = await startLivelyDevnet({ folder })
    expect((await rpc(second.url, 'eth_getBlockByNumber', number, false)).hash).toBe(hash)
    expect(Number(await rpc(second.url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(Number(number))
    await second.stop()

    const third = await startLivelyDevnet({ folder, reset: true })
    expect((await rpc(third.url, 'eth_getBlockByNumber', number, false))?.hash).not.toBe(hash)
    await third.stop()
  })

  test('a devnet in a thread says so when it cannot start', async () => {
    const devnet = await startLivelyDevnet()
    const port = Number(new URL(devnet.url).port)
    await expect(startLivelyDevnet({ port })).rejects.toThrow('EADDRINUSE')
    await devnet.stop()
  })
})
