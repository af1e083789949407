// The fields of a node's answer that this program does not know. They are stored as they are, so that a chain that goes its own way loses
// nothing. Fields that the program reads, or that only repeat what it stores, are not among them.
import type { Hex } from '../bytes/hex.ts'
import type { RpcObject } from './fields.ts'

export type UnknownFields = { readonly [name: string]: unknown }

/** A bound for one block or transaction. Whoever sends a transaction must not fill the database with fields that nobody reads. */
const MAX_LENGTH = 16_384

/** Undefined where all fields are known. */
export function unknownFields(raw: RpcObject, kind: keyof typeof KNOWN): UnknownFields | undefined {
  const names = Object.keys(raw).filter((name) => !KNOWN[kind].has(name) && raw[name] !== null)
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, raw[name]]))
}

/** As JSON, for the store. Fields beyond the bound are replaced by their length. */
export function unknownFieldsText(fields: UnknownFields | undefined): string | null {
  if (fields === undefined) return null
  const whole = JSON.stringify(fields)
  if (whole.length <= MAX_LENGTH) return whole
  const share = Math.floor(MAX_LENGTH / Object.keys(fields).length)
  const cut = Object.entries(fields).map(([name, value]) => {
    const text = JSON.stringify(value)
    return [name, text.length <= share ? value : `${text.length} characters, not stored`]
  })
  const short = JSON.stringify(Object.fromEntries(cut))
  return short.length <= MAX_LENGTH ? short : JSON.stringify({ unknownFields: `${cut.length} fields, not stored` })
}

/** The addresses that the fields name, at any depth: whoever pays for a transaction of an unknown type is probably among them. */
export function addressesInFields(fields: UnknownFields | undefined): Hex[] {
  if (fields === undefined) return []
  const found = new Set<Hex>()
  const look = (value: unknown, depth: number): void => {
    if (found.size >= MAX_ADDRESSES || depth > MAX_FIELD_DEPTH) return
    if (typeof value === 'string' && ADDRESS.test(value)) found.add(value.toLowerCase() as Hex)
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) look(each, depth + 1)
  }
  look(fields, 0)
  return [...found]
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
/** Bounds for one transaction, because its sender may choose what it names. */
const MAX_ADDRESSES = 32
const MAX_FIELD_DEPTH = 4

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

const IN_BLOCK = 'blockHash blockNumber blockTimestamp blockTimestampMs transactionIndex'

const KNOWN = {
  block: words(`
    hash parentHash sha3Uncles miner author stateRoot transactionsRoot receiptsRoot logsBloom difficulty totalDifficulty number gasLimit
    gasUsed timestamp timestampMs extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot
    requestsHash size transactions uncles withdrawals`),
  transaction: words(`
    ${IN_BLOCK} hash type chainId nonce from to value gas gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas input data
    accessList authorizationList blobVersionedHashes v r s yParity sourceHash mint isSystemTx depositReceiptVersion creates raw
    publicKey standardV condition`),
  receipt: words(`
    ${IN_BLOCK} transactionHash type status root from to contractAddress cumulativeGasUsed gasUsed effectiveGasPrice logs logsBloom
    blobGasUsed blobGasPrice depositNonce depositReceiptVersion l1BaseFeeScalar l1BlobBaseFee l1BlobBaseFeeScalar l1Fee l1FeeScalar
    l1GasPrice l1GasUsed operatorFeeScalar operatorFeeConstant daFootprintGasScalar`),
} as const
