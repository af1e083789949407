// npm run check-chain -- URL
// Walks a node's chain from genesis to head and recomputes every hash, parent link, transactions root and receipts root.
// Prints `valid` and exits 0, or prints what is wrong and exits 1.
import { transactionsRoot } from '../src/chain/codec/block.ts'
import { headerHash } from '../src/chain/codec/header.ts'
import { receiptsRoot } from '../src/chain/codec/receipt.ts'
import type { Transaction } from '../src/chain/codec/transaction.ts'
import { encodeTransaction } from '../src/chain/codec/transaction-codec.ts'
import { blockFromRpc, receiptFromRpc } from '../src/chain/rpc/block-from-rpc.ts'

const BATCH = 50
const url = process.argv[2] ?? ''
if (url === '') {
  console.error('usage: npm run check-chain -- URL')
  process.exit(2)
}

type Call = { method: string; params: unknown[] }

async function ask(calls: readonly Call[]): Promise<unknown[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const answers = (await response.json()) as { id: number; result: unknown }[]
  return answers.sort((a, b) => a.id - b.id).map(({ result }) => result)
}

const [head] = await ask([{ method: 'eth_blockNumber', params: [] }])
let parent = ''
for (let from = 0; from <= Number(head); from += BATCH) {
  const heights = Array.from(
    { length: Math.min(BATCH, Number(head) + 1 - from) },
    (_, index) => `0x${(from + index).toString(16)}`,
  )
  const blocks = await ask(heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [height, true] })))
  const receipts = (await ask(
    heights.map((height) => ({ method: 'eth_getBlockReceipts', params: [height] })),
  )) as unknown[][]
  for (const [index, json] of blocks.entries()) {
    const { header, hash, transactions } = blockFromRpc(json)
    const complaints = [
      headerHash(header) !== hash && 'hash',
      parent !== '' && header.parentHash !== parent && 'parent',
      transactionsRoot(transactions.map(({ transaction }) => encodeTransaction(transaction as Transaction))) !==
        header.transactionsRoot && 'transactions root',
      receiptsRoot(receipts[index]!.map(receiptFromRpc)) !== header.receiptsRoot && 'receipts root',
    ].filter(Boolean)
    if (complaints.length > 0) {
      console.log(`block ${header.number}: wrong ${complaints.join(', ')}`)
      process.exit(1)
    }
    parent = hash
  }
}
console.log('valid')
