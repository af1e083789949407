import { describe, expect, test } from 'vitest'
import type { Header } from '../codec/header.ts'
import { blobBaseFee, GAS_PER_BLOB, nextExcessBlobGas } from './blob-fee.ts'
import { rulesOfFork } from './forks.ts'

function parent(excess: bigint, blobs: bigint, baseFeePerGas = 1n) {
  return { excessBlobGas: excess, blobGasUsed: blobs * GAS_PER_BLOB, baseFeePerGas } as Header
}
const cancun = rulesOfFork('cancun').blobs!

describe('blob fee', () => {
  test.each([
    [0n, 1n],
    [2_314_057n, 1n],
    [2_314_058n, 2n],
    [10n * 1024n * 1024n, 23n],
  ])('blob fee is, with an excess of %s, %s wei', (excess, fee) => {
    expect(blobBaseFee(excess, cancun)).toBe(fee)
  })

  test('blob fee carries over what is above the target of the fork', () => {
    expect(nextExcessBlobGas(parent(0n, 3n), rulesOfFork('cancun'))).toBe(0n)
    expect(nextExcessBlobGas(parent(0n, 4n), rulesOfFork('cancun'))).toBe(GAS_PER_BLOB)
    expect(nextExcessBlobGas(parent(GAS_PER_BLOB, 6n), rulesOfFork('prague'))).toBe(GAS_PER_BLOB)
  })

  test('blob fee falls more slowly while execution is dearer than blobs (EIP-7918)', () => {
    const excess = 10n * GAS_PER_BLOB
    const dear = parent(excess, 3n, 1_000_000_000n)
    expect(nextExcessBlobGas(dear, rulesOfFork('prague'))).toBe(7n * GAS_PER_BLOB)
    expect(nextExcessBlobGas(dear, rulesOfFork('osaka'))).toBe(11n * GAS_PER_BLOB)
    expect(nextExcessBlobGas(parent(excess, 3n, 1n), rulesOfFork('osaka'))).toBe(7n * GAS_PER_BLOB)
  })

  test('blob fee has no excess on OP chains and before Cancun', () => {
    expect(nextExcessBlobGas(parent(GAS_PER_BLOB, 9n), rulesOfFork('isthmus'))).toBe(0n)
    expect(nextExcessBlobGas(parent(GAS_PER_BLOB, 9n), rulesOfFork('shanghai'))).toBe(0n)
  })
})
