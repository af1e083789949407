// Whoever has a receipt must find what it says at `pending`: clients send transactions, get their receipts, and read at once what the
// transactions changed, through a whole Firstlight whose node is far away.
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { rpc } from './devnet.ts'
import { type FirstlightProcess, startFirstlight } from './firstlight-process.ts'
import { freePort } from './free-port.ts'
import { weth } from './middle-of-block.ts'
import { startSlowNode } from './slow-node.ts'

export type ReadYourWritesOptions = {
  /** How many transactions are sent and read. */
  writes: number
  /** Transactions a second, half of them by the devnet's own users. */
  tps: number
  /** Added to every call of the node. */
  addedMs: number
  report: (line: string) => void
}

export type ReadYourWritesResult = {
  writes: number
  reads: number
  /** Reads that did not contain the transaction whose receipt came before, in words. */
  stale: string[]
  /** Transactions without a receipt, and requests that were refused. */
  failures: string[]
  /** From sending to the receipt, in milliseconds: the middle one and the 99th of a hundred. */
  receiptMs: { p50: number; p99: number }
  /** Receipts that came before their block was canonical. */
  preconfirmed: number
}

const WRITERS = 16
const CHAIN_ID = 1_337_200
const REPORT_EVERY_MS = 15_000
const RECEIPT_TIMEOUT_MS = 20_000
const abi = parseAbi(['function deposit()', 'function balanceOf(address) view returns (uint256)'])

export async function readYourWrites(options: ReadYourWritesOptions): Promise<ReadYourWritesResult> {
  const { writes, tps, addedMs, report } = options
  const devnetPort = await freePort()
  const devnet = await startFirstlight(['devnet'], {
    DEVNET_PORT: devnetPort,
    DEVNET_TPS: String(tps / 2),
    LOG_LEVEL: 'warn',
  })
  const nodeUrl = `http://127.0.0.1:${devnetPort}`
  const slow = await startSlowNode(nodeUrl, addedMs)
  let server: FirstlightProcess | undefined
  try {
    const port = await freePort()
    server = await startFirstlight(['start'], {
      PORT: port,
      RPC_URL: slow.url,
      FLASHBLOCKS_ENABLED: 'true',
      FLASHBLOCKS_URL: `ws://127.0.0.1:${devnetPort}/flashblocks`,
      ROLES: 'rpc,relay',
      RATE_LIMIT_IP: '0',
      LOG_LEVEL: 'warn',
    })
    const url = `http://127.0.0.1:${port}`
    while (!(await fetch(`${url}/ready`)).ok) await sleep(200)
    return await runWriters(`${url}/flashblocks`, { nodeUrl, writes, tps, report })
  } finally {
    await server?.stop()
    slow.stop()
    await devnet.stop()
  }
}

type Run = { nodeUrl: string; writes: number; tps: number; report: (line: string) => void }

async function runWriters(url: string, { nodeUrl, writes, tps, report }: Run): Promise<ReadYourWritesResult> {
  const times: number[] = []
  const result = { writes: 0, reads: 0, stale: [] as string[], failures: [] as string[], preconfirmed: 0 }
  const accounts = Array.from({ length: WRITERS }, () => privateKeyToAccount(generatePrivateKey()))
  await fund(nodeUrl, accounts)
  const startedMs = Date.now()
  let begun = 0
  let reportedMs = startedMs

  const write = async (account: PrivateKeyAccount, nonce: number): Promise<void> => {
    const isDeposit = nonce % 2 === 0
    const recipient = isDeposit ? weth : toHex(BigInt(generatePrivateKey()) >> 96n, { size: 20 })
    const raw = await account.signTransaction({
      ...{ type: 'eip1559', chainId: CHAIN_ID, nonce, to: recipient, value: 1n, gas: 100_000n },
      ...{ maxFeePerGas: parseEther('1', 'gwei') * 10n, maxPriorityFeePerGas: 1n },
      data: isDeposit ? encodeFunctionData({ abi, functionName: 'deposit' }) : '0x',
    })
    const sentMs = performance.now()
    const { blockNumber } = await receiptOf(url, raw, nonce % 4 < 2)
    times.push(performance.now() - sentMs)
    const reads = isDeposit
      ? [
          read('eth_call', [{ to: weth, data: balanceOf(account.address) }, 'pending'], BigInt(nonce / 2 + 1)),
          read('eth_getTransactionCount', [account.address, 'pending'], BigInt(nonce + 1)),
        ]
      : [read('eth_getBalance', [recipient, 'pending'], 1n)]
    const found = await Promise.all(reads.map(({ method, params }) => rpc(url, method, ...params)))
    for (const [i, { method, expected }] of reads.entries()) {
      result.reads++
      if (BigInt(found[i]) === expected) continue
      result.stale.push(`${method} after a receipt in block ${blockNumber}: ${BigInt(found[i])}, not ${expected}`)
    }
    if (Number(blockNumber) > Number(await rpc(url, 'eth_blockNumber', 'latest'))) result.preconfirmed++
    result.writes++
  }

  const writer = async (account: PrivateKeyAccount): Promise<void> => {
    for (let nonce = 0; begun < writes; nonce++) {
      // All writers together send at half the rate; who is late does not catch up.
      const dueMs = startedMs + (begun++ * 1000) / (tps / 2)
      await sleep(Math.max(0, dueMs - Date.now()))
      try {
        await write(account, nonce)
      } catch (error) {
        result.failures.push((error as Error).message)
        return
      }
      if (Date.now() - reportedMs < REPORT_EVERY_MS) continue
      reportedMs = Date.now()
      report(`${result.writes} writes, ${result.stale.length} stale, ${result.failures.length} failures`)
    }
  }
  await Promise.all(accounts.map(writer))
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { ...result, receiptMs: { p50: quantile(0.5), p99: quantile(0.99) } }
}

async function fund(nodeUrl: string, accounts: readonly PrivateKeyAccount[]): Promise<void> {
  const funder = privateKeyToAccount(developers[9]!.key)
  const first = Number(await rpc(nodeUrl, 'eth_getTransactionCount', funder.address, 'pending'))
  for (const [i, { address }] of accounts.entries()) {
    const raw = await funder.signTransaction({
      ...{ type: 'eip1559', chainId: CHAIN_ID, nonce: first + i, to: address, value: parseEther('10'), gas: 21_000n },
      ...{ maxFeePerGas: parseEther('1', 'gwei') * 10n, maxPriorityFeePerGas: 1n },
    })
    await rpc(nodeUrl, 'eth_sendRawTransaction', raw)
  }
  const last = accounts.at(-1)!.address
  while ((await rpc(nodeUrl, 'eth_getBalance', last, 'latest')) === '0x0') await sleep(100)
}

type Receipt = { blockNumber: Hex }

/** Half by `eth_sendRawTransactionSync`, half by asking for the receipt. */
async function receiptOf(url: string, raw: Hex, isSync: boolean): Promise<Receipt> {
  if (isSync) return rpc(url, 'eth_sendRawTransactionSync', raw, RECEIPT_TIMEOUT_MS)
  const hash = await rpc(url, 'eth_sendRawTransaction', raw)
  const deadlineMs = Date.now() + RECEIPT_TIMEOUT_MS
  for (;;) {
    const receipt = await rpc(url, 'eth_getTransactionReceipt', hash)
    if (receipt !== null) return receipt
    if (Date.now() > deadlineMs) throw new Error(`no receipt of ${hash}`)
  }
}

function read(method: string, params: readonly unknown[], expected: bigint) {
  return { method, params, expected }
}

function balanceOf(address: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'balanceOf', args: [address] })
}
