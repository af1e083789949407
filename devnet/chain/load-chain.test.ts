import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DevnetChain } from './chain.ts'
import { balanceOf, createTestChain, send, startTraffic } from './chain-for-tests.ts'
import { forgetDevnetChain } from './create-devnet-chain.ts'
import { UnusableChain } from './load-chain.ts'
import { SNAPSHOT_BLOCKS, snapshotsIn } from './snapshot.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function logFile() {
  return join(folder, 'blocks.log')
}

function hashesOf(chain: DevnetChain): string[] {
  return Array.from({ length: chain.head().header.number + 1 }, (_, number) => chain.hashOf(number)!)
}

function damageFirstBody(): void {
  const bytes = readFileSync(logFile())
  const [headLength, bodyLength] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  bytes[16 + headLength + bodyLength - 1]! ^= 1
  writeFileSync(logFile(), bytes)
}

/** Every transaction of a developer pays 1 wei. */
function paymentsIn(chain: DevnetChain): number {
  const blocks = hashesOf(chain).map((_, number) => chain.blockByNumber(number)!)
  return blocks.slice(1).reduce((sum, { transactions }) => sum + transactions.length - 1, 0)
}

describe('a chain in a folder', () => {
  test('a chain in a folder goes on after a restart, with everything it had', async () => {
    const first = createTestChain({ folder })
    const traffic = await startTraffic(first)
    for (let i = 0; i < 10; i++) {
      traffic.act(10)
      first.chain.step()
      first.clock.move(200)
    }
    first.chain.seal()
    const hashes = hashesOf(first.chain)
    const blocks = hashes.map((_, number) => first.chain.blockByNumber(number)!)
    await first.chain.close()

    const { chain } = createTestChain({ folder, startMs: first.clock.nowMs() })
    expect(hashesOf(chain)).toEqual(hashes)
    for (const [number, block] of blocks.entries()) {
      expect(chain.blockByNumber(number)).toEqual(block)
      expect(chain.bloomOf(number)).toEqual(block.header.logsBloom)
    }
    const { recovered } = blocks[2]!.transactions[1]!
    expect(chain.transaction(recovered.hash)).toMatchObject({ type: 'included', index: 1, block: { hash: hashes[2] } })
    expect(chain.seal().header.parentHash).toBe(hashes.at(-1))
    await chain.close()
  })

  test('a chain in a folder has the same history of states after a restart', async () => {
    const first = createTestChain({ folder })
    for (let nonce = 0; nonce < 20; nonce++) {
      send(first.chain, { nonce })
      first.chain.seal()
    }
    await first.chain.close()
    const { chain } = createTestChain({ folder })
    for (const number of [0, 7, 19, 20]) expect(balanceOf(chain, 0xb0bn, number)).toBe(BigInt(number))
    chain.reorg(5)
    expect(chain.head().header.number).toBe(20)
    await chain.close()
  })

  test('a chain in a folder is the chain after a reorg, not the one before', async () => {
    const first = createTestChain({ folder })
    for (let nonce = 0; nonce < 6; nonce++) {
      send(first.chain, { nonce })
      first.chain.seal()
    }
    first.chain.reorg(3)
    const hashes = hashesOf(first.chain)
    await first.chain.close()
    const { chain } = createTestChain({ folder })
    expect(hashesOf(chain)).toEqual(hashes)
    expect(balanceOf(chain, 0xb0bn, 3)).toBe(3n)
    await chain.close()
  })

  test('a chain in a folder is a valid chain wherever the log was cut off', async () => {
    const first = createTestChain({ folder })
    for (let nonce = 0; nonce < 5; nonce++) {
      send(first.chain, { nonce })
      first.chain.seal()
    }
    first.chain.reorg(2)
    const before = hashesOf(first.chain)
    await first.chain.close()
    const whole = join(folder, 'whole')
    copyFileSync(logFile(), whole)
    const { size } = statSync(whole)
    const heads = new Set<number>()
    for (let cut = size; cut >= 0; cut -= 97) {
      copyFileSync(whole, logFile())
      truncateSync(logFile(), cut)
      const { chain } = createTestChain({ folder })
      const head = chain.head().header.number
      heads.add(head)
      expect(hashesOf(chain).slice(0, 4)).toEqual(before.slice(0, Math.min(4, head + 1)))
      expect(balanceOf(chain, 0xb0bn)).toBe(BigInt(paymentsIn(chain)))
      chain.seal()
      await chain.close()
    }
    expect(heads).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  }, 60_000)

  test('a chain in a folder leaves out a last record whose bytes are wrong', async () => {
    const first = createTestChain({ folder })
    first.chain.seal()
    first.chain.seal()
    await first.chain.close()
    const bytes = readFileSync(logFile())
    bytes[bytes.length - 5]! ^= 1
    writeFileSync(logFile(), bytes)
    const { chain } = createTestChain({ folder })
    expect(chain.head().header.number).toBe(1)
    await chain.close()
  })

  test('a chain in a folder ignores what follows the last record', async () => {
    const first = createTestChain({ folder })
    first.chain.seal()
    await first.chain.close()
    appendFileSync(logFile(), new Uint8Array(40))
    const { chain } = createTestChain({ folder })
    expect(chain.head().header.number).toBe(1)
    const { hash } = chain.seal()
    await chain.close()
    const again = createTestChain({ folder })
    expect(again.chain.head().hash).toBe(hash)
    await again.chain.close()
  })

  test('a chain in a folder refuses another chain id or seed, and names the way out', async () => {
    const first = createTestChain({ folder })
    first.chain.seal()
    await first.chain.close()
    for (const other of [{ chainId: 1 }, { seed: 'other' }]) {
      expect(() => createTestChain({ folder, ...other })).toThrow(UnusableChain)
      expect(() => createTestChain({ folder, ...other })).toThrow(/--reset/)
    }
    forgetDevnetChain(folder)
    const { chain } = createTestChain({ folder, seed: 'other' })
    expect(chain.head().header.number).toBe(0)
    await chain.close()
  })

  test('a chain in a folder refuses a log whose first record is wrong, rather than to empty it', async () => {
    const first = createTestChain({ folder })
    for (let i = 0; i < 3; i++) first.chain.seal()
    await first.chain.close()
    const bytes = readFileSync(logFile())
    bytes[20]! ^= 1
    writeFileSync(logFile(), bytes)
    expect(() => createTestChain({ folder })).toThrow(/damaged.*--reset/)
    expect(readFileSync(logFile())).toEqual(bytes)
  })

  test('a chain in a folder refuses a log that is damaged in the middle', async () => {
    const first = createTestChain({ folder })
    for (let i = 0; i < 3; i++) first.chain.seal()
    await first.chain.close()
    damageFirstBody()
    expect(() => createTestChain({ folder })).toThrow(/damaged.*--reset/)
  })

  test('a chain in a folder comes back from a snapshot that was written while the chain went on', async () => {
    const first = createTestChain({ folder })
    const traffic = await startTraffic(first)
    for (let number = first.chain.head().header.number; number < SNAPSHOT_BLOCKS + 600; number++) {
      const isNearSnapshot = Math.abs(number - SNAPSHOT_BLOCKS) < 20
      if (isNearSnapshot) traffic.act(10)
      first.chain.seal()
      first.clock.move(1_000)
      if (number === SNAPSHOT_BLOCKS + 3) first.chain.reorg(2)
      // The snapshot is written between blocks.
      if (isNearSnapshot) await new Promise(setImmediate)
    }
    const head = first.chain.head()
    await first.chain.close()
    expect(snapshotsIn(folder).length).toBe(1)

    // With the state changes of the first block gone, only the snapshot can lead to the right state.
    damageFirstBody()
    const { chain } = createTestChain({ folder, startMs: first.clock.nowMs() })
    expect(chain.head()).toEqual(head)
    expect(chain.stateAt(head.header.number - 256)).not.toBeNull()
    await chain.close()
  }, 60_000)
})
