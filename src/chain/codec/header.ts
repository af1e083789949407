// Block headers of every fork. Forks append fields; a header has those of its fork and no later ones.

import { bigintToBytes, bytesToHex, type Hex, hexToBytes } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { decodeRlpList, encodeRlp, RlpError, type RlpInput, type RlpItem } from '../bytes/rlp.ts'
import {
  addressField,
  bytesField,
  fixedBytesField,
  hashField,
  numberField,
  uint64Field,
  uint256Field,
} from '../bytes/rlp-fields.ts'
import { BLOOM_BYTES } from './bloom.ts'

export type Header = {
  readonly parentHash: Hex
  readonly sha3Uncles: Hex
  readonly miner: bigint
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly number: number
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly timestamp: number
  readonly extraData: Uint8Array
  /** The random value of the beacon chain since the merge. */
  readonly mixHash: Hex
  readonly nonce: Hex
  /** London. */
  readonly baseFeePerGas?: bigint
  /** Shanghai; on OP Isthmus the storage root of the message passer. */
  readonly withdrawalsRoot?: Hex
  /** Cancun, the next three; on OP Jovian `blobGasUsed` is the data footprint. */
  readonly blobGasUsed?: bigint
  readonly excessBlobGas?: bigint
  readonly parentBeaconBlockRoot?: Hex
  /** Prague. */
  readonly requestsHash?: Hex
}

/** SHA-256 of nothing: no requests to the beacon chain, as in every OP block since Isthmus. */
export const EMPTY_REQUESTS_HASH: Hex = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerToRlp(header))
}

export function headerHash(header: Header): Hex {
  return bytesToHex(keccak256(encodeHeader(header)))
}

export function decodeHeader(bytes: Uint8Array): Header {
  return headerFromFields(decodeRlpList(bytes))
}

export function headerToRlp(header: Header): RlpInput[] {
  const fields: RlpInput[] = [
    hexToBytes(header.parentHash),
    hexToBytes(header.sha3Uncles),
    bigintToBytes(header.miner, 20),
    hexToBytes(header.stateRoot),
    hexToBytes(header.transactionsRoot),
    hexToBytes(header.receiptsRoot),
    header.logsBloom,
    header.difficulty,
    header.number,
    header.gasLimit,
    header.gasUsed,
    header.timestamp,
    header.extraData,
    hexToBytes(header.mixHash),
    hexToBytes(header.nonce),
  ]
  const later = laterFields(header)
  const count = later.findLastIndex((field) => field !== undefined) + 1
  for (const field of later.slice(0, count)) {
    if (field === undefined) throw new RlpError('header has a field of a later fork but lacks one before it')
    fields.push(field)
  }
  return fields
}

export function headerFromFields(fields: readonly RlpItem[]): Header {
  if (!HEADER_LENGTHS.includes(fields.length)) throw new RlpError(`header has ${fields.length} fields`)
  return {
    parentHash: hashField(fields[0], 'parentHash'),
    sha3Uncles: hashField(fields[1], 'sha3Uncles'),
    miner: addressField(fields[2], 'miner'),
    stateRoot: hashField(fields[3], 'stateRoot'),
    transactionsRoot: hashField(fields[4], 'transactionsRoot'),
    receiptsRoot: hashField(fields[5], 'receiptsRoot'),
    logsBloom: fixedBytesField(fields[6], 'logsBloom', BLOOM_BYTES),
    difficulty: uint256Field(fields[7], 'difficulty'),
    number: numberField(fields[8], 'number'),
    gasLimit: uint64Field(fields[9], 'gasLimit'),
    gasUsed: uint64Field(fields[10], 'gasUsed'),
    timestamp: numberField(fields[11], 'timestamp'),
    extraData: bytesField(fields[12], 'extraData'),
    mixHash: hashField(fields[13], 'mixHash'),
    nonce: bytesToHex(fixedBytesField(fields[14], 'nonce', 8)),
    ...(fields.length > 15 && { baseFeePerGas: uint256Field(fields[15], 'baseFeePerGas') }),
    ...(fields.length > 16 && { withdrawalsRoot: hashField(fields[16], 'withdrawalsRoot') }),
    ...(fields.length > 17 && {
      blobGasUsed: uint64Field(fields[17], 'blobGasUsed'),
      excessBlobGas: uint64Field(fields[18], 'excessBlobGas'),
      parentBeaconBlockRoot: hashField(fields[19], 'parentBeaconBlockRoot'),
    }),
    ...(fields.length > 20 && { requestsHash: hashField(fields[20], 'requestsHash') }),
  }
}

function laterFields(header: Header): (RlpInput | undefined)[] {
  return [
    header.baseFeePerGas,
    optionalBytes(header.withdrawalsRoot),
    header.blobGasUsed,
    header.excessBlobGas,
    optionalBytes(header.parentBeaconBlockRoot),
    optionalBytes(header.requestsHash),
  ]
}

/** Frontier, London, Shanghai, Cancun, Prague. */
const HEADER_LENGTHS = [15, 16, 17, 20, 21]

function optionalBytes(hex: Hex | undefined) {
  return hex === undefined ? undefined : hexToBytes(hex)
}
