// What became of every preconfirmation, through a whole server on both engines: the test steps the devnet's chain by hand, and makes it
// drop and change preconfirmed transactions.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestChain, signed, silentLog, type TestChain } from '../../devnet/chain/chain-for-tests.ts'
import { type DevnetServer, startServer } from '../../devnet/server.ts'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { databases } from '../support/databases.ts'
import { rpc } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const chainShortName = 'DEV'

describe.each(databases)('on $engine', ({ place }) => {
  let devnet: TestChain
  let node: DevnetServer
  let server: TestServer
  let client: Client
  let start: () => Promise<void>

  beforeAll(async () => {
    devnet = createTestChain({ startMs: Date.now() })
    devnet.chain.seal()
    node = await startServer({ chain: devnet.chain, port: Number(await freePort()), log: silentLog })
    const { url, dataDir } = await place()
    const environment = {
      ROLES: 'indexer,api,rpc,relay',
      PORT: await freePort(),
      RPC_URL: `http://127.0.0.1:${node.port}`,
      FLASHBLOCKS_ENABLED: 'true',
      FLASHBLOCKS_URL: `ws://127.0.0.1:${node.port}/flashblocks`,
      FLASHBLOCKS_STALE_MS: '600000',
      ...(url !== undefined && { DATABASE_URL: url }),
    }
    start = async () => {
      server = await startTestServer(environment, { dataDir, keepData: true })
      client = createClient({ baseUrl: server.url, credentials: server.credentials })
      await until(status, ({ preconfirmations }) => preconfirmations?.feed.upstreams[0].isConnected === true)
      await until(status, ({ heights }) => heights.indexed === devnet.chain.head().header.number)
    }
    await start()
  }, 120_000)
  afterAll(async () => {
    await server?.stop()
    await node?.stop()
  })

  const status = async () => (await fetch(`${server.url}/status`)).json()
  const nonces = [0, 0]
  /** Through Firstlight, so that it is seen there. */
  const send = (from: number): Promise<Hex> =>
    rpc(`${server.url}/flashblocks`, 'eth_sendRawTransaction', bytesToHex(signed({ from, nonce: nonces[from]!++ }).raw))
  const accountOf = async (txId: Hex) => (await client.preconfirmationTransaction({ chainShortName, txId })).data[0]
  const blockOf = async (height: number) =>
    (await client.preconfirmationBlock({ chainShortName, height: String(height) })).data[0]
  const hourOf = async () => (await client.preconfirmationQuality({ chainShortName })).data[0]!
  const nextHeight = () => devnet.chain.head().header.number + 1
  const announce = async (...hashes: Hex[]) => {
    devnet.clock.move(1_000)
    devnet.chain.step()
    for (const hash of hashes)
      await until(
        () => accountOf(hash),
        (account) => account?.stage === 'preconfirmed',
      )
  }

  test('a transaction walks from seen to final, each stage with its time', async () => {
    const beganMs = Date.now()
    const hash = await send(0)
    expect(
      await until(
        () => accountOf(hash),
        (account) => account !== undefined,
      ),
    ).toMatchObject({
      stage: 'seen',
      seenBy: 'rpc',
      verdict: '',
    })
    const height = nextHeight()
    await announce(hash)
    expect(await accountOf(hash)).toMatchObject({
      preconfirmedHeight: String(height),
      flashblockIndex: '0',
      preconfirmedPosition: '1',
      includedTime: '',
    })
    expect(await rpc(`${server.url}/flashblocks`, 'firstlight_transactionStatus', hash)).toMatchObject({
      stage: 'preconfirmed',
      preconfirmed: { height, flashblockIndex: 0, position: 1 },
    })
    const sealed = devnet.chain.seal()
    const included = await until(() => accountOf(hash), isIncluded)
    expect(included).toMatchObject({
      verdict: 'kept',
      changes: [],
      includedHeight: String(height),
      includedBlockHash: sealed.hash,
      past: [],
    })
    const times = [beganMs, included!.seenTime, included!.preconfirmedTime, included!.includedTime, Date.now()]
    expect(times.map(Number)).toEqual(times.map(Number).toSorted((a, b) => a - b))
    for (let i = 0; i < 4; i++) devnet.chain.seal()
    const safe = await until(
      () => accountOf(hash),
      (account) => account?.stage === 'safe',
    )
    expect(Number(safe!.safeTime)).toBeGreaterThanOrEqual(Number(safe!.includedTime))
    for (let i = 0; i < 8; i++) devnet.chain.seal()
    const final = await until(
      () => accountOf(hash),
      (account) => account?.stage === 'finalized',
    )
    expect(Number(final!.finalizedTime)).toBeGreaterThanOrEqual(Number(final!.safeTime))
  }, 60_000)

  test('a dropped preconfirmation is shown on every surface, and its transaction has its history', async () => {
    const before = await until(hourOf, ({ kept }) => Number(kept) > 0)
    const [first, second] = [await send(0), await send(1)]
    const height = nextHeight()
    await announce(first, second)
    devnet.chain.contradictNext((transactions) => transactions.filter(({ hash }) => hash !== second))
    const sealed = devnet.chain.seal()
    const dropped = await until(
      () => accountOf(second),
      (account) => account?.verdict === 'dropped',
    )
    expect(dropped).toMatchObject({ stage: 'dropped', preconfirmedHeight: String(height), includedTime: '' })
    expect(await blockOf(height)).toMatchObject({
      blockHash: sealed.hash,
      verdict: 'broken',
      dropped: '1',
      differences: [{ txId: second, type: 'dropped', to: '' }],
    })
    expect(await until(hourOf, (now) => now.dropped !== before.dropped)).toMatchObject({
      dropped: String(Number(before.dropped) + 1),
      brokenBlockCount: String(Number(before.brokenBlockCount) + 1),
    })
    expect((await status()).preconfirmationQuality).toMatchObject({ dropped: 1, brokenBlocks: 1, lost: 0 })
    // It waits in the pool again, is preconfirmed again, and is included.
    await announce(second)
    devnet.chain.seal()
    const back = await until(() => accountOf(second), isIncluded)
    expect(back).toMatchObject({
      verdict: 'kept',
      preconfirmedHeight: String(height + 1),
      past: [
        { stage: 'preconfirmed', height: String(height) },
        { stage: 'dropped', height: String(height) },
      ],
    })
  }, 60_000)

  test('a transaction that is moved is changed, and one that a reorg takes back says so', async () => {
    const [first, second] = [await send(0), await send(1)]
    await announce(first, second)
    devnet.chain.contradictNext(([attributes, ...rest]) => [attributes!, ...rest.toReversed()])
    const sealed = devnet.chain.seal()
    const moved = await until(() => accountOf(first), isIncluded)
    expect(moved).toMatchObject({ verdict: 'changed', changes: expect.arrayContaining(['moved']) })
    expect(await blockOf(sealed.header.number)).toMatchObject({ verdict: 'broken', changed: '2', kept: '1' })
    devnet.chain.reorg(1)
    const back = await until(
      () => accountOf(first),
      (account) => account?.includedBlockHash !== sealed.hash,
    )
    expect(back!.past).toContainEqual({
      stage: 'included',
      time: moved!.includedTime,
      height: moved!.includedHeight,
      flashblockIndex: '',
    })
    devnet.chain.seal()
    await until(() => accountOf(first), isIncluded)
    // Its preconfirmation was for the block that is gone.
    const { hash } = devnet.chain.blockByNumber(sealed.header.number)!
    expect(
      await until(
        () => blockOf(sealed.header.number),
        (block) => block?.blockHash === hash,
      ),
    ).toBeDefined()
  }, 60_000)

  test('flashblocks are listed newest first, each with the message that it was', async () => {
    const height = nextHeight()
    await announce(await send(0))
    devnet.chain.step()
    const list = () => client.flashblockList({ chainShortName, limit: '2' }).then(({ data }) => data[0])
    const { flashblockList, nextCursor } = await until(
      list,
      ({ flashblockList: [newest] }) => newest?.height === String(height) && newest.flashblockIndex === '1',
    )
    expect(flashblockList.map(({ flashblockIndex, txnCount }) => [flashblockIndex, txnCount])).toEqual([
      ['1', '0'],
      ['0', '2'],
    ])
    const [older] = (await client.flashblockList({ chainShortName, after: nextCursor })).data
    expect(Number(older.flashblockList[0]!.height)).toBeLessThan(height)
    const [detail] = (await client.flashblockDetail({ chainShortName, height: String(height), index: '0' })).data
    const sent = devnet.messages.find(({ index, metadata }) => index === 0 && metadata.block_number === height)!
    expect(JSON.parse(detail!.message).diff).toEqual(JSON.parse(JSON.stringify(sent.diff)))
    expect(await blockOf(height)).toMatchObject({ verdict: 'pending', flashblocks: [{}, {}] })
    devnet.chain.seal()
    await until(
      () => blockOf(height),
      (block) => block?.verdict === 'kept',
    )
    expect((await client.flashblockDetail({ chainShortName, height: String(height), index: '999' })).data).toEqual([])
    expect((await client.preconfirmationBlock({ chainShortName, height: '4000000' })).data).toEqual([])
  }, 60_000)

  test('a server that is killed and started again lost nothing that was saved, and counts nothing twice', async () => {
    const hash = await send(0)
    await announce(hash)
    devnet.chain.seal()
    await until(() => accountOf(hash), isIncluded)
    const counts = ({ blockCount, kept, changed, dropped, unannounced, flashblocksReceived }: Hour) =>
      [blockCount, kept, changed, dropped, unannounced, flashblocksReceived].map(Number)
    await until(status, ({ preconfirmationQuality }) => preconfirmationQuality.unsaved === 0)
    // The answer is cached for a moment.
    await sleep(2_100)
    const before = await hourOf()
    const stored = await accountOf(hash)
    await server.stop('SIGKILL')
    await start()
    expect(counts(await hourOf())).toEqual(counts(before))
    expect(await accountOf(hash)).toEqual({ ...stored, safeTime: '', finalizedTime: '' })
    const next = await send(0)
    await announce(next)
    devnet.chain.seal()
    const grown = await until(hourOf, (now) => now.blockCount !== before.blockCount)
    expect(counts(grown)).toEqual(counts(before).map((count, i) => count + [1, 2, 0, 0, 0, 1][i]!))
  }, 90_000)
})

/** The index may have the block before the account has compared it. */
function isIncluded(account: Transaction | undefined): boolean {
  return account?.stage === 'included' && account.includedTime !== ''
}

type Transaction = Awaited<ReturnType<Client['preconfirmationTransaction']>>['data'][number]
type Hour = Awaited<ReturnType<Client['preconfirmationQuality']>>['data'][number]
