// EIP-7685: what the execution layer asks of the beacon chain.
import { createHash } from 'node:crypto'
import { bytesToHex, concatBytes, type Hex } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'

export type Requests = readonly { readonly type: number; readonly bytes: Uint8Array }[]

/** The header's `requestsHash`; kinds without a request do not count. */
export function requestsHash(requests: Requests): Hex {
  const hashes = requests
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ type, bytes }) => sha256(concatBytes(Uint8Array.of(type), bytes)))
  return bytesToHex(sha256(concatBytes(...hashes)))
}

/** EIP-6110: deposits as the deposit contract logged them, each field's bytes one after the other. */
export function depositRequests(logs: readonly Log[], contract: bigint = MAINNET_DEPOSIT_CONTRACT): Uint8Array {
  const deposits = logs.filter(({ address, topics }) => address === contract && topics[0] === DEPOSIT_EVENT)
  return concatBytes(
    ...deposits.flatMap(({ data }) => DEPOSIT_FIELDS.map(([at, length]) => data.slice(at, at + length))),
  )
}

const MAINNET_DEPOSIT_CONTRACT = 0x00000000219ab540356cbb839cbe05303d7705fan
const DEPOSIT_EVENT = 0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5n

/** Position and length in the event's data: public key, withdrawal credentials, amount, signature, index. */
const DEPOSIT_FIELDS = [
  [192, 48],
  [288, 32],
  [352, 8],
  [416, 96],
  [544, 8],
] as const

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest())
}
