// Chains of nodes that are not ours, indexed by a whole Firstlight: what it says is compared with what the node itself says, worked
// out from its JSON-RPC alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { formatEther, formatUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAnvil } from '../../devnet/genesis/anvil-for-tests.ts'
import { runTraffic } from '../../devnet/traffic/driver.ts'
import { databases } from '../support/databases.ts'
import { rpc } from '../support/devnet.ts'
import { HIVE_GENESIS, hasHiveChain, startHiveNode } from '../support/hive-node.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { walk } from '../support/list-walk.ts'
import { newestFirst } from '../support/living-chain.ts'
import { type Hex, holdersAt, type NodeFacts, readNodeFacts, type TransactionFact } from '../support/node-facts.ts'
import { sideBySide } from '../support/side-by-side.ts'

const chainShortName = 'dev'
const PREPARE_MS = 300_000
/** Transactions that anvil is sent before a day passes, and again after it. */
const A_DAY = 100
const DAY_S = 86_400
/** Anvil follows the rules of the OP Stack here, so base fees go there, and no block names it. */
const BASE_FEE_VAULT: Hex = `0x42${'0'.repeat(36)}19`

type ForeignNode = { url: string; stop: () => Promise<void> }

/** Anvil seals on request, so that it stands still while it is compared. */
async function startBusyAnvil(): Promise<ForeignNode> {
  const anvil = await startAnvil({ chainId: 1_337_200, args: ['--no-mining'] })
  const stop = new AbortController()
  let sent = 0
  const living = (async () => {
    for await (const { type } of runTraffic({ url: anvil.url, tps: 40, seed: 7, signal: stop.signal })) {
      if (type === 'sent') sent += 1
    }
  })()
  const mineUntilSent = async (wanted: number) => {
    while (sent < wanted) {
      await sleep(250)
      await rpc(anvil.url, 'evm_mine')
    }
  }
  await mineUntilSent(A_DAY)
  await rpc(anvil.url, 'evm_increaseTime', DAY_S)
  await mineUntilSent(2 * A_DAY)
  stop.abort()
  await living
  await rpc(anvil.url, 'evm_mine')
  return anvil
}

const nodes = [
  {
    name: 'anvil, with traffic',
    start: startBusyAnvil,
    environment: {},
    isThere: true,
    isEnough: ({ blocks, transactions, transfers, internals }: NodeFacts) => {
      expect(transactions.length).toBeGreaterThan(100)
      expect(new Set(transfers.map(({ kind }) => kind))).toEqual(new Set([20, 721, 1155]))
      const operations = new Set(internals.map(({ frame }) => frame.type))
      for (const operation of ['CALL', 'STATICCALL', 'CREATE']) expect(operations).toContain(operation)
      expect(internals.some(({ failed }) => failed)).toBe(true)
      const nextDay = blocks.find((block, i) => i > 1 && timeOf(block) - timeOf(blocks[i - 1]!) >= DAY_S)!
      const movedAfter = transfers.filter(({ transaction }) => transaction.block.height >= nextDay.height)
      expect(new Set(movedAfter.map(({ token }) => token)).size).toBeGreaterThan(2)
    },
  },
  {
    name: 'the execution-apis chain, from proof of work to Prague',
    start: startHiveNode,
    environment: { GENESIS: HIVE_GENESIS },
    isThere: hasHiveChain,
    isEnough: ({ blocks, transactions, logs }: NodeFacts) => {
      expect(blocks).toHaveLength(55)
      expect(new Set(transactions.map(({ raw }) => raw.type))).toEqual(new Set(['0x0', '0x1', '0x2', '0x3', '0x4']))
      expect(logs.length).toBeGreaterThan(100)
    },
  },
].filter(({ isThere }) => isThere)

describe.each(nodes)('$name', ({ start, environment, isEnough }) => {
  let node: ForeignNode
  let facts: NodeFacts
  let dayBefore: Map<Hex, Map<Hex, bigint>>
  const servers: IndexedServer[] = []

  beforeAll(async () => {
    node = await start()
    facts = await readNodeFacts(node.url, [BASE_FEE_VAULT])
    dayBefore = await readDayBefore(node.url, facts)
    for (const { place } of databases) servers.push(await startIndexedServer(node.url, await place(), environment))
  }, PREPARE_MS)

  afterAll(async () => {
    for (const server of servers) await server.stop()
    await node?.stop()
  })

  test('the foreign chain has enough transactions for wrong answers to be noticed', () => isEnough(facts))

  describe.each(databases.map(({ engine }, at) => ({ engine, at })))('on $engine', ({ at }) => {
    const api = () => servers[at]!.client

    test('every block has its hash, its transactions, its fees and its calls', async () => {
      for (const { raw, height, transactions } of facts.blocks) {
        const { data } = await api().blockFills({ chainShortName, height: String(height) })
        const inBlock = facts.internals.filter(({ transaction }) => transaction.block.height === height)
        expect(data).toMatchObject([
          {
            hash: raw.hash,
            miner: raw.miner,
            txnCount: String(transactions.length),
            txnInternal: String(inBlock.length),
            gasUsed: BigInt(raw.gasUsed).toString(),
            amount: formatEther(sum(transactions.map((each) => BigInt(each.raw.value)))),
            totalFee: formatEther(sum(transactions.map(feeOf))),
          },
        ])
      }
    })

    test('every transaction is listed with its parties, its amount, its fee and its outcome', async () => {
      const listed = await walk((paging) => api().transactionList({ chainShortName, ...paging }), 'transactionList', 50)
      expect(listed).toMatchObject(
        newestFirst(facts.transactions).map((transaction) => ({
          txid: transaction.raw.hash,
          input: transaction.raw.from,
          output: transaction.raw.to ?? '',
          amount: formatEther(BigInt(transaction.raw.value)),
          txfee: formatEther(feeOf(transaction)),
          state: transaction.receipt.status === '0x0' ? 'fail' : 'success',
          contractAddress: createdBy(transaction),
          isOutputContract: transaction.raw.to === null || facts.contracts.has(transaction.raw.to),
        })),
      )
    })

    const everyTransaction =
      'internal transactions and transfers of every transaction are those of its trace and its logs'
    test(everyTransaction, { timeout: PREPARE_MS }, async () => {
      await sideBySide(facts.transactions, async (transaction) => {
        const { hash } = transaction.raw
        const frames = facts.internals.filter((each) => each.transaction === transaction)
        const askInternals = (paging: object) =>
          api().internalTransactionDetail({ chainShortName, txId: hash, ...paging })
        expect(await walk(askInternals, 'internalTransactionDetails', 100)).toMatchObject(
          frames.map(({ frame, failed }) => ({
            operation: frame.type.toLowerCase(),
            from: frame.from,
            to: frame.to ?? '',
            amount: frame.type === 'DELEGATECALL' ? '0' : formatEther(BigInt(frame.value ?? 0)),
            state: failed ? 'fail' : 'success',
          })),
        )
        const transfers = facts.transfers.filter((each) => each.transaction === transaction)
        const askTransfers = (paging: object) => api().tokenTransferMulti({ chainShortName, txId: hash, ...paging })
        expect(await walk(askTransfers, 'tokenTransferDetails', 100)).toMatchObject(
          transfers.map(({ token, from, to, amount, tokenId }) => ({
            tokenContractAddress: token,
            from,
            to,
            amount: formatUnits(amount, facts.tokens.get(token)!.decimals),
            tokenId: tokenId === undefined ? '' : String(tokenId),
          })),
        )
      })
    })

    test('balances of the native currency and of tokens are those that the node knows', async () => {
      const askHolders = (paging: object) => api().nativeTokenPositionList({ chainShortName, ...paging })
      const holders = (await walk(askHolders, 'positionList', 100)) as { address: Hex; amount: string }[]
      const ranked = new Map(holders.map(({ address, amount }) => [address, amount]))
      for (const [address, balance] of facts.balances) {
        expect(ranked.get(address) ?? '0', address).toBe(formatEther(balance))
      }
      for (const { address, holders: expected, decimals } of facts.tokens.values()) {
        const ask = (paging: object) =>
          api().tokenPositionList({ chainShortName, tokenContractAddress: address, ...paging })
        const positions = (await walk(ask, 'positionList', 100)) as Position[]
        const before = dayBefore.get(address)!
        expect(
          Object.fromEntries(positions.map(({ holderAddress, ...position }) => [holderAddress, position])),
        ).toMatchObject(
          Object.fromEntries(
            [...expected].map(([holder, balance]) => [
              holder,
              {
                amount: formatUnits(balance, decimals),
                positionChange24h: formatUnits(balance - (before.get(holder) ?? 0n), decimals),
              },
            ]),
          ),
        )
        expect(positions).toHaveLength(expected.size)
      }
    })

    test('logs of every contract are those of the receipts, the newest first', async () => {
      for (const address of new Set(facts.logs.map(({ raw }) => raw.address as Hex))) {
        const logs = newestFirst(facts.logs).filter(({ raw }) => raw.address === address)
        const { data } = await api().logsByAddress({ chainShortName, address })
        expect(data).toMatchObject(
          logs.map(({ raw }) => ({
            txId: raw.transactionHash,
            logIndex: String(Number(raw.logIndex)),
            topics: raw.topics,
            data: raw.data,
          })),
        )
      }
    })
  })
})

function timeOf({ raw }: NodeFacts['blocks'][number]) {
  return Number(raw.timestamp)
}

type Position = { holderAddress: Hex; amount: string; positionChange24h: string }

/** Who held what of each token a day before the newest block; nobody anything where the chain is younger. */
async function readDayBefore(url: string, facts: NodeFacts): Promise<Map<Hex, Map<Hex, bigint>>> {
  const newest = timeOf(facts.blocks.at(-1)!)
  const block = facts.blocks.findLast((each) => timeOf(each) <= newest - DAY_S)
  const held = new Map<Hex, Map<Hex, bigint>>()
  for (const token of facts.tokens.values()) {
    held.set(token.address, block ? await holdersAt(url, facts, token, block.height) : new Map())
  }
  return held
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function isDeposit({ raw }: TransactionFact): boolean {
  return raw.type === '0x7e'
}

function createdBy({ raw, receipt }: TransactionFact): string {
  return raw.to === null ? (receipt.contractAddress ?? '') : ''
}

/** Gas, blobs, and what an OP chain adds for L1 and its operator. */
function feeOf(transaction: TransactionFact): bigint {
  if (isDeposit(transaction)) return 0n
  const { gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice, l1Fee, ...rest } = transaction.receipt
  const gas = BigInt(gasUsed) * BigInt(effectiveGasPrice)
  const blobs = BigInt(blobGasUsed ?? 0) * BigInt(blobGasPrice ?? 0)
  const scalar = BigInt(rest.operatorFeeScalar ?? 0)
  const operator = (BigInt(gasUsed) * scalar) / 1_000_000n + BigInt(rest.operatorFeeConstant ?? 0)
  return gas + blobs + BigInt(l1Fee ?? 0) + operator
}
