// 500 mixed transactions decoded, hashed and their senders recovered: ours against viem, CPU time of the same run.
import { keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { addressToHex, bigintToBytes, bytesToHex } from '../src/chain/bytes/hex.ts'
import { signatureBackend } from '../src/chain/bytes/secp256k1.ts'
import { signAuthorization } from '../src/chain/codec/authorization.ts'
import {
  type RecoveredTransaction,
  recoverTransaction,
  signTransaction,
} from '../src/chain/codec/recovered-transaction.ts'
import { ACCESS_LIST, FEE_MARKET, LEGACY, SET_CODE, type Unsigned } from '../src/chain/codec/transaction.ts'

const COUNT = 500
const ROUNDS = 7
const CHAIN_ID = 196n

const raws = Array.from({ length: COUNT }, (_, i) => signTransaction(unsigned(i), privateKey(i)).raw)
const hexes = raws.map((raw) => bytesToHex(raw) as TransactionSerialized)

const ours = raws.map(recoverTransaction)
await assertSameAsViem(ours)

const rounds = Array.from({ length: ROUNDS }, () => cpuMs(() => raws.forEach(recoverTransaction)))
const viemMs = await cpuMsAsync(async () => {
  for (const hex of hexes) {
    parseTransaction(hex)
    keccak256(hex)
    await recoverTransactionAddress({ serializedTransaction: hex })
  }
})

const best = Math.min(...rounds)
console.log(`${COUNT} transactions decoded, hashed and recovered (signatures: ${signatureBackend})`)
console.log(`firstlight  ${best.toFixed(1)} ms CPU, best of ${ROUNDS} (median ${median(rounds).toFixed(1)})`)
console.log(`viem        ${viemMs.toFixed(1)} ms CPU`)
console.log(`ratio       ${(viemMs / median(rounds)).toFixed(1)} times less CPU than viem`)

function unsigned(i: number): Unsigned {
  const payload = {
    nonce: BigInt(i),
    gasLimit: 100_000n,
    to: BigInt(i) + 0x1000n,
    value: BigInt(i) * 10n ** 15n,
    data: new Uint8Array(i % 3 === 0 ? 0 : 68).fill(i),
  }
  const accessList = [{ address: BigInt(i), storageKeys: [1n, 2n] }]
  const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000n }
  switch (i % 4) {
    case 0:
      return { ...payload, type: LEGACY, chainId: CHAIN_ID, gasPrice: 1_000_000_000n }
    case 1:
      return { ...payload, type: ACCESS_LIST, chainId: CHAIN_ID, gasPrice: 1_000_000_000n, accessList }
    case 2:
      return { ...payload, ...fees, type: FEE_MARKET, chainId: CHAIN_ID, accessList: [] }
    default: {
      const authorization = signAuthorization({ chainId: CHAIN_ID, address: 1n, nonce: 0n }, privateKey(i))
      return { ...payload, ...fees, type: SET_CODE, chainId: CHAIN_ID, accessList, authorizationList: [authorization] }
    }
  }
}

function privateKey(i: number): Uint8Array {
  return bigintToBytes(BigInt(i) + 1n, 32)
}

async function assertSameAsViem(recovered: readonly RecoveredTransaction[]): Promise<void> {
  for (const [i, { from, hash }] of recovered.slice(0, 8).entries()) {
    const viemFrom = await recoverTransactionAddress({ serializedTransaction: hexes[i]! })
    if (viemFrom.toLowerCase() !== addressToHex(from) || keccak256(hexes[i]!) !== hash) {
      throw new Error(`transaction ${i} differs from viem`)
    }
  }
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return sinceMs(before)
}

async function cpuMsAsync(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return sinceMs(before)
}

function sinceMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
