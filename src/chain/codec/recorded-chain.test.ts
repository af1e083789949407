// The codecs against a recorded chain of 54 blocks, from Homestead to the blob forks after Osaka, and the answers of the node that
// made it. The recording lies beside the repository; where it does not, the tests are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bigintToBytes, bytesToHex, fromQuantityToNumber, type Hex, hexToBytes } from '../bytes/hex.ts'
import { KECCAK_EMPTY, keccak256 } from '../bytes/keccak.ts'
import { encodeRlp, splitRlp } from '../bytes/rlp.ts'
import { receiptFromRpc } from '../rpc/block-from-rpc.ts'
import { blockToRpc, receiptToRpc, transactionToRpc } from '../rpc/to-rpc.ts'
import { transactionFromRpc } from '../rpc/transaction-from-rpc.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../rpc/types.ts'
import { ETHEREUM_BASE_FEE, nextBaseFee } from '../rules/base-fee.ts'
import { blobBaseFee, nextExcessBlobGas } from '../rules/blob-fee.ts'
import { createAddress } from '../rules/create-address.ts'
import { rulesBySchedule } from '../rules/forks.ts'
import { scheduleFromGenesis } from '../rules/genesis.ts'
import { encodeAccount } from '../trie/account.ts'
import { EMPTY_TRIE, type Trie, trieRoot, trieSet } from '../trie/trie.ts'
import { InvalidProof, provenValue } from '../trie/trie-proof.ts'
import { type Block, decodeBlock, encodeBlock, transactionsRoot, unclesHash } from './block.ts'
import { headerHash } from './header.ts'
import { decodeReceipt, encodeReceipt, receiptsRoot } from './receipt.ts'
import { recoverTransaction } from './recovered-transaction.ts'
import { DEPOSIT } from './transaction.ts'
import { decodeTransaction, encodeTransaction } from './transaction-codec.ts'
import { withdrawalsRoot } from './withdrawal.ts'

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)
const areThere = existsSync(FIXTURES)
if (!areThere) console.log('no recorded chain beside the repository: its tests are skipped')

describe.runIf(areThere)('the 54-block chain', () => {
  const blocks = areThere ? chainBlocks() : []

  test('the 54-block chain re-encodes every block and transaction byte by byte', () => {
    expect(blocks).toHaveLength(54)
    for (const { bytes, block } of blocks) {
      expect(bytesToHex(encodeBlock(block))).toBe(bytesToHex(bytes))
      for (const raw of block.transactions) {
        expect(bytesToHex(encodeTransaction(decodeTransaction(raw)))).toBe(bytesToHex(raw))
      }
    }
  })

  test('each header hashes to what the next block calls its parent, and the last to the known head', () => {
    const hashes = blocks.map(({ block }) => headerHash(block.header))
    expect(blocks.slice(1).map(({ block }) => block.header.parentHash)).toEqual(hashes.slice(0, -1))
    expect(hashes.at(-1)).toBe(readJson('execution-apis/headfcu.json').params[0].headBlockHash)
  })

  test('the 54-block chain finds the roots of transactions, uncles and withdrawals', () => {
    for (const { block } of blocks) {
      const { header, transactions, uncles, withdrawals } = block
      expect(transactionsRoot(transactions)).toBe(header.transactionsRoot)
      expect(unclesHash(uncles)).toBe(header.sha3Uncles)
      expect(withdrawals && withdrawalsRoot(withdrawals)).toBe(header.withdrawalsRoot)
    }
  })

  test('base fee and excess blob gas of each block follow from its parent', () => {
    const schedule = scheduleFromGenesis(readJson('execution-apis/genesis.json').config)
    const rulesOf = rulesBySchedule(schedule)
    let blobBlocks = 0
    for (const [i, { block }] of blocks.entries()) {
      const parent = blocks[i - 1]?.block.header
      if (parent === undefined) continue
      const rules = rulesOf(block.header)
      if (rules.london) {
        expect(nextBaseFee(parent, rulesOf(parent), ETHEREUM_BASE_FEE)).toBe(block.header.baseFeePerGas)
      }
      if (rules.cancun) {
        blobBlocks++
        expect(nextExcessBlobGas(parent, rules)).toBe(block.header.excessBlobGas)
      }
    }
    expect(blobBlocks).toBeGreaterThan(10)
  })

  test('the 54-block chain finds the state root of the genesis accounts', () => {
    const [exchange] = exchanges('eth_getBlockByNumber/get-genesis.io')
    const root = stateRootOf(readJson('execution-apis/genesis.json').alloc)
    expect(bytesToHex(root)).toBe(exchange!.result.stateRoot)
  })

  test('the 54-block chain shows transactions as the recorded node does', () => {
    const shown = exchangesIn('eth_getTransactionByHash').filter(({ result }) => result)
    expect(shown.length).toBeGreaterThan(6)
    for (const { result } of shown) expect(transactionAsRpc(blocks, result)).toEqual(result)
  })

  test('the 54-block chain shows transactions of the pool as the recorded node does', () => {
    const [exchange] = exchanges('txpool_content/get-content.io')
    const waiting: RpcTransaction[] = Object.values<Json>(exchange!.result.pending).flatMap(Object.values)
    expect(waiting.length).toBeGreaterThan(2)
    for (const shown of waiting) {
      const recovered = recoverTransaction(encodeTransaction(transactionFromRpc(shown)))
      expect(transactionToRpc(recovered, null)).toEqual(shown)
    }
  })

  test('the 54-block chain shows blocks as the recorded node does', () => {
    const shown = [...exchangesIn('eth_getBlockByNumber'), ...exchangesIn('eth_getBlockByHash')].filter(
      ({ result }) => result && fromQuantityToNumber(result.number) > 0,
    )
    expect(shown.length).toBeGreaterThan(2)
    for (const { result } of shown) {
      const { block } = blockWithNumber(blocks, result.number)
      expect(blockAsRpc(block, result)).toEqual(result)
    }
  })

  test('the 54-block chain shows receipts as the recorded node does', () => {
    const shown = [
      ...exchangesIn('eth_getTransactionReceipt'),
      ...exchangesIn('eth_getBlockReceipts').flatMap(({ result }) =>
        (result ?? []).map((each: object) => ({ result: each })),
      ),
    ].filter(({ result }) => result)
    expect(shown.length).toBeGreaterThan(6)
    for (const { result } of shown) {
      const { block } = blockWithNumber(blocks, result.blockNumber)
      expect(receiptAsRpc(block, result)).toEqual(result)
    }
  })

  test('the 54-block chain reads raw receipts and finds their root', () => {
    const [exchange] = exchanges('debug_getRawReceipts/get-block-n.io')
    const raws = (exchange!.result as Hex[]).map(hexToBytes)
    const receipts = raws.map(decodeReceipt)
    expect(receipts.map(encodeReceipt)).toEqual(raws)
    const { block } = blockWithNumber(blocks, exchange!.params[0])
    expect(receiptsRoot(receipts)).toBe(block.header.receiptsRoot)
  })

  test('the 54-block chain accepts the proofs of eth_getProof and refuses them for another account', () => {
    const proofs = exchangesIn('eth_getProof')
    expect(proofs.length).toBeGreaterThan(1)
    const root = hexToBytes(blocks.at(-1)!.block.header.stateRoot)
    for (const { result } of proofs) {
      const proof = result.accountProof.map(hexToBytes)
      const account = encodeAccount({
        nonce: BigInt(result.nonce),
        balance: BigInt(result.balance),
        storageRoot: hexToBytes(result.storageHash),
        codeHash: hexToBytes(result.codeHash),
      })
      expect(provenValue({ root, key: keccak256(hexToBytes(result.address)), proof })).toEqual(account)
      expect(() => provenValue({ root, key: new Uint8Array(32), proof })).toThrow(InvalidProof)
      for (const slot of result.storageProof) {
        const value = provenValue({
          root: hexToBytes(result.storageHash),
          key: keccak256(bigintToBytes(BigInt(slot.key), 32)),
          proof: slot.proof.map(hexToBytes),
        })
        expect(value).toEqual(slot.value === '0x0' ? null : encodeRlp(BigInt(slot.value)))
      }
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: recordings are JSON of many shapes, read once each
type Json = any

function readText(path: string) {
  return readFileSync(new URL(path, FIXTURES), 'utf8')
}
function readJson(path: string): Json {
  return JSON.parse(readText(path))
}

function chainBlocks(): { bytes: Uint8Array; block: Block; hash: Hex }[] {
  const chain = new Uint8Array(readFileSync(new URL('execution-apis/chain.rlp', FIXTURES)))
  return splitRlp(chain).map((bytes) => {
    const block = decodeBlock(bytes)
    return { bytes, block, hash: headerHash(block.header) }
  })
}

type Blocks = ReturnType<typeof chainBlocks>

function blockWithNumber(blocks: Blocks, number: Hex) {
  return blocks.find(({ block }) => block.header.number === fromQuantityToNumber(number))!
}

/** Request and answer lines of a recorded exchange. */
function exchanges(path: string): { params: Json; result: Json }[] {
  const lines = readText(`execution-apis/${path}`).split('\n')
  const requests = lines.filter((line) => line.startsWith('>> ')).map((line) => JSON.parse(line.slice(3)))
  const answers = lines.filter((line) => line.startsWith('<< ')).map((line) => JSON.parse(line.slice(3)))
  return requests.map((request, i) => ({ params: request.params, result: answers[i].result }))
}

function exchangesIn(method: string) {
  return readdirSync(new URL(`execution-apis/${method}`, FIXTURES)).flatMap((file) => exchanges(`${method}/${file}`))
}

function stateRootOf(alloc: Json): Uint8Array {
  let state: Trie = EMPTY_TRIE
  for (const [address, account] of Object.entries<Json>(alloc)) {
    let storage: Trie = EMPTY_TRIE
    for (const [slot, value] of Object.entries<Json>(account.storage ?? {})) {
      storage = trieSet(storage, keccak256(hexToBytes(slot)), encodeRlp(BigInt(value)))
    }
    const encoded = encodeAccount({
      nonce: BigInt(account.nonce ?? 0),
      balance: BigInt(account.balance),
      storageRoot: trieRoot(storage),
      codeHash: account.code ? keccak256(hexToBytes(account.code)) : KECCAK_EMPTY,
    })
    state = trieSet(state, keccak256(hexToBytes(`0x${address}`)), encoded)
  }
  return trieRoot(state)
}

function inclusionIn({ header }: Block, transactionIndex: number) {
  return {
    blockHash: headerHash(header),
    blockNumber: header.number,
    blockTimestamp: header.timestamp,
    transactionIndex,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
  }
}

function transactionAsRpc(blocks: Blocks, wanted: RpcTransaction): RpcTransaction {
  const { block } = blockWithNumber(blocks, wanted.blockNumber!)
  const index = fromQuantityToNumber(wanted.transactionIndex!)
  return transactionToRpc(recoverTransaction(block.transactions[index]!), inclusionIn(block, index))
}

function blockAsRpc(block: Block, wanted: RpcBlock): RpcBlock {
  const recovered = block.transactions.map(recoverTransaction)
  const isWhole = typeof wanted.transactions[0] !== 'string'
  return blockToRpc({
    header: block.header,
    hash: headerHash(block.header),
    size: encodeBlock(block).length,
    withdrawals: block.withdrawals,
    transactions: isWhole
      ? recovered.map((each, i) => transactionToRpc(each, inclusionIn(block, i)))
      : recovered.map((each) => each.hash),
  })
}

function receiptAsRpc(block: Block, wanted: RpcReceipt): RpcReceipt {
  const index = fromQuantityToNumber(wanted.transactionIndex)
  const recovered = recoverTransaction(block.transactions[index]!)
  const { transaction, from } = recovered
  const creates = transaction.to === null && transaction.type !== DEPOSIT
  return receiptToRpc(recovered, receiptFromRpc(wanted), {
    ...inclusionIn(block, index),
    gasUsed: BigInt(wanted.gasUsed),
    contractAddress: creates ? createAddress(from, transaction.nonce) : null,
    firstLogIndex: wanted.logs[0] ? fromQuantityToNumber(wanted.logs[0].logIndex) : 0,
    blobBaseFee: blobBaseFee(block.header.excessBlobGas ?? 0n, { target: 3, max: 6, updateFraction: 3338477n }),
  })
}
