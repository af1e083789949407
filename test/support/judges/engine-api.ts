// The Engine API from the side of a consensus client: it hands a node the blocks of another one, in order.
// cspell:ignore forkchoice
import { createHmac } from 'node:crypto'
import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import { FOREIGN } from '../../../src/chain/codec/foreign-transaction.ts'
import { encodeTransaction } from '../../../src/chain/codec/transaction-codec.ts'
import { blockFromRpc } from '../../../src/chain/rpc/block-from-rpc.ts'
import { rpc } from '../devnet.ts'
import { quantity } from '../node-facts.ts'

export type EngineAddress = { readonly url: string; readonly jwtSecret: string }

export type PayloadStatus = { readonly status: string; readonly validationError: string | null }

/** The block of `nodeUrl` at a height becomes the head of the engine's chain, if the engine finds it valid. */
export async function feedBlock(engine: EngineAddress, nodeUrl: string, height: number): Promise<PayloadStatus> {
  const block = await rpc(nodeUrl, 'eth_getBlockByNumber', quantity(height), true)
  const payload = payloadOf(block)
  const answer = await ask(engine, 'engine_newPayloadV4', payload, [], block.parentBeaconBlockRoot, [])
  const status = answer as PayloadStatus
  if (status.status !== 'VALID') return status
  return moveHead(engine, { headBlockHash: block.hash, safeBlockHash: NONE, finalizedBlockHash: NONE })
}

/** The safe and the finalized block become those of `nodeUrl`. */
export async function copyLabels(engine: EngineAddress, nodeUrl: string): Promise<PayloadStatus> {
  const [headBlockHash, safeBlockHash, finalizedBlockHash] = await Promise.all(
    ['latest', 'safe', 'finalized'].map(
      async (label) => (await rpc(nodeUrl, 'eth_getBlockByNumber', label, false)).hash as string,
    ),
  )
  return moveHead(engine, { headBlockHash, safeBlockHash, finalizedBlockHash })
}

async function moveHead(engine: EngineAddress, state: object): Promise<PayloadStatus> {
  const answer = await ask(engine, 'engine_forkchoiceUpdatedV3', state, null)
  return (answer as { payloadStatus: PayloadStatus }).payloadStatus
}

const NONE = `0x${'00'.repeat(32)}`

function payloadOf(block: Readonly<Record<string, unknown>>) {
  return {
    parentHash: block.parentHash,
    feeRecipient: block.miner,
    stateRoot: block.stateRoot,
    receiptsRoot: block.receiptsRoot,
    logsBloom: block.logsBloom,
    prevRandao: block.mixHash,
    blockNumber: block.number,
    gasLimit: block.gasLimit,
    gasUsed: block.gasUsed,
    timestamp: block.timestamp,
    extraData: block.extraData,
    baseFeePerGas: block.baseFeePerGas,
    blockHash: block.hash,
    transactions: rawTransactions(block),
    withdrawals: [],
    withdrawalsRoot: block.withdrawalsRoot,
    blobGasUsed: block.blobGasUsed,
    excessBlobGas: block.excessBlobGas,
  }
}

export function rawTransactions(block: unknown): string[] {
  return blockFromRpc(block).transactions.map(({ transaction, hash }) => {
    if (transaction.type === FOREIGN) throw new Error(`transaction ${hash} is of a type that cannot be encoded`)
    return bytesToHex(encodeTransaction(transaction))
  })
}

async function ask({ url, jwtSecret }: EngineAddress, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token(jwtSecret)}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** Valid for a minute, as the Engine API wants it. */
function token(secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iat: Math.floor(Date.now() / 1_000) })}`
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}
