import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex, wordToHex } from '../bytes/hex.ts'
import { EMPTY_LIST_HASH, EMPTY_ROOT } from '../bytes/keccak.ts'
import { decodeRlpList, encodeRlp } from '../bytes/rlp.ts'
import { EMPTY_BLOOM } from './bloom.ts'
import { decodeHeader, encodeHeader, type Header } from './header.ts'

const emptyRoot = bytesToHex(EMPTY_ROOT)
const frontier: Header = {
  parentHash: wordToHex(1n),
  sha3Uncles: bytesToHex(EMPTY_LIST_HASH),
  miner: 2n,
  stateRoot: emptyRoot,
  transactionsRoot: emptyRoot,
  receiptsRoot: emptyRoot,
  logsBloom: EMPTY_BLOOM,
  difficulty: 3n,
  number: 4,
  gasLimit: (1n << 63n) - 1n,
  gasUsed: 5n,
  timestamp: 6,
  extraData: Uint8Array.of(7),
  mixHash: wordToHex(8n),
  nonce: '0x0000000000000009',
}
const london = { ...frontier, baseFeePerGas: 0n }
const shanghai = { ...london, withdrawalsRoot: emptyRoot }
const cancun = { ...shanghai, blobGasUsed: 0n, excessBlobGas: 0n, parentBeaconBlockRoot: wordToHex(0n) }
const prague = { ...cancun, requestsHash: wordToHex(9n) }

describe('headers', () => {
  test.each([
    ['Frontier', frontier, 15],
    ['London', london, 16],
    ['Shanghai', shanghai, 17],
    ['Cancun', cancun, 20],
    ['Prague', prague, 21],
  ])('headers of %s survive the way to bytes and back', (_, header, fields) => {
    const encoded = encodeHeader(header)
    expect(decodeRlpList(encoded)).toHaveLength(fields)
    expect(decodeHeader(encoded)).toEqual(header)
  })

  test('headers refuse a field whose predecessor is missing', () => {
    expect(() => encodeHeader({ ...frontier, withdrawalsRoot: emptyRoot })).toThrow('lacks one before it')
    expect(() => encodeHeader({ ...shanghai, requestsHash: emptyRoot })).toThrow('lacks one before it')
  })

  test.each([14, 18, 19, 22])('headers refuse %i fields', (count) => {
    const fields = decodeRlpList(encodeHeader(prague))
    const changed = [...fields, new Uint8Array(0)].slice(0, count)
    expect(() => decodeHeader(encodeRlp(changed))).toThrow(`header has ${count} fields`)
  })

  test('headers name the field that is malformed', () => {
    const short = '0x01' as Hex
    expect(() => decodeHeader(encodeHeader({ ...frontier, stateRoot: short }))).toThrow('stateRoot must have 32 bytes')
  })
})
