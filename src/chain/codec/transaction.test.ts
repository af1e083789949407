import fc from 'fast-check'
import * as viem from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { serializeTransaction as serializeOpTransaction } from 'viem/op-stack'
import { describe, expect, test } from 'vitest'
import { addressToHex, bigintToBytes, bytesToHex, type Hex, hexToBytes, wordToHex } from '../bytes/hex.ts'
import { encodeRlp, encodeTyped } from '../bytes/rlp.ts'
import { addressOfPrivateKey, ORDER } from '../bytes/secp256k1.ts'
import { transactionToRpc } from '../rpc/to-rpc.ts'
import { transactionFromRpc } from '../rpc/transaction-from-rpc.ts'
import { effectiveGasPrice } from '../rules/transaction-fees.ts'
import { authorityOf, signAuthorization } from './authorization.ts'
import { recoverTransaction, senderOf, signTransaction } from './recovered-transaction.ts'
import {
  ACCESS_LIST,
  BLOB,
  DEPOSIT,
  type DepositTransaction,
  FEE_MARKET,
  LEGACY,
  SET_CODE,
  type Unsigned,
} from './transaction.ts'
import { decodeTransaction, encodeTransaction } from './transaction-codec.ts'

const privateKey = bigintToBytes(0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80n, 32)
const account = privateKeyToAccount(bytesToHex(privateKey))

function uint(bits: number) {
  return fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n })
}
const words = uint(256)
const addresses = uint(160)
const recipients = fc.option(addresses, { nil: null })
const chainIds = fc.bigInt({ min: 1n, max: 1n << 40n })

const anyPayload = {
  nonce: uint(50),
  gasLimit: uint(50),
  value: words,
  data: fc.uint8Array({ maxLength: 200 }),
}

const accessList = fc.array(fc.record({ address: addresses, storageKeys: fc.array(words, { maxLength: 3 }) }), {
  maxLength: 3,
})

// viem refuses a tip above the limit.
const dynamicFees = fc
  .tuple(uint(128), uint(128))
  .map(([a, b]) =>
    a < b ? { maxPriorityFeePerGas: a, maxFeePerGas: b } : { maxPriorityFeePerGas: b, maxFeePerGas: a },
  )

const authorization = fc
  .record({ chainId: chainIds, address: addresses, nonce: uint(50) })
  .map((unsigned) => signAuthorization(unsigned, bigintToBytes(7n, 32)))

const anyDynamic = fc
  .tuple(fc.record({ ...anyPayload, chainId: chainIds, accessList }), dynamicFees)
  .map(([fields, fees]) => ({ ...fields, ...fees }))

const blobHashes = fc.array(
  uint(248).map((rest) => (1n << 248n) | rest),
  { minLength: 1, maxLength: 6 },
)

const anyUnsigned: fc.Arbitrary<Unsigned> = fc.oneof(
  fc.record({
    ...anyPayload,
    type: fc.constant(LEGACY),
    chainId: fc.option(chainIds, { nil: null }),
    gasPrice: uint(128),
    to: recipients,
  }),
  fc.record({
    ...anyPayload,
    type: fc.constant(ACCESS_LIST),
    chainId: chainIds,
    gasPrice: uint(128),
    to: recipients,
    accessList,
  }),
  fc.tuple(anyDynamic, recipients).map(([fields, to]) => ({ ...fields, type: FEE_MARKET, to })),
  fc.tuple(anyDynamic, addresses, uint(128), blobHashes).map(([fields, to, maxFeePerBlobGas, blobVersionedHashes]) => ({
    ...fields,
    type: BLOB,
    to,
    maxFeePerBlobGas,
    blobVersionedHashes,
  })),
  fc
    .tuple(anyDynamic, addresses, fc.array(authorization, { maxLength: 3 }))
    .map(([fields, to, authorizationList]) => ({ ...fields, type: SET_CODE, to, authorizationList })),
)

const anyDeposit: fc.Arbitrary<DepositTransaction> = fc.record({
  type: fc.constant(DEPOSIT),
  sourceHash: words.map((word) => bytesToHex(bigintToBytes(word, 32))),
  from: addresses,
  to: recipients,
  mint: uint(128),
  value: words,
  gasLimit: uint(64),
  isSystemTx: fc.boolean(),
  data: anyPayload.data,
})

describe('transactions', () => {
  test('transactions of every signed type are signed, encoded and hashed as viem does it', async () => {
    await fc.assert(
      fc.asyncProperty(anyUnsigned, async (unsigned) => {
        const signed = signTransaction(unsigned, privateKey)
        expect(bytesToHex(signed.raw)).toBe(await account.signTransaction(toViem(unsigned)))
        expect(signed.hash).toBe(viem.keccak256(signed.raw))
        expect(addressToHex(signed.from)).toBe(account.address.toLowerCase())
      }),
    )
  })

  test('transactions of every signed type survive the way to bytes and back', () => {
    fc.assert(
      fc.property(anyUnsigned, (unsigned) => {
        const signed = signTransaction(unsigned, privateKey)
        expect(recoverTransaction(signed.raw)).toEqual(signed)
      }),
    )
  })

  test('transactions of every signed type survive the way to JSON-RPC and back', () => {
    fc.assert(
      fc.property(anyUnsigned, (unsigned) => {
        const signed = signTransaction(unsigned, privateKey)
        expect(transactionFromRpc(transactionToRpc(signed, null))).toEqual(signed.transaction)
      }),
    )
  })

  test('deposits are encoded as viem does it, and bring their sender along', () => {
    fc.assert(
      fc.property(anyDeposit, (deposit) => {
        const raw = encodeTransaction(deposit)
        expect(bytesToHex(raw)).toBe(serializeOpTransaction(depositToViem(deposit)))
        expect(recoverTransaction(raw)).toMatchObject({ transaction: deposit, from: deposit.from })
      }),
    )
  })

  test('transactions keep a gas limit beyond 2^53 exact', () => {
    const { raw } = signTransaction({ ...plain, gasLimit: (1n << 64n) - 1n }, privateKey)
    expect(decodeTransaction(raw).gasLimit).toBe((1n << 64n) - 1n)
  })

  test.each([
    ['no bytes', '0x', 'transaction is empty'],
    ['an unknown type', '0x05c0', 'type 0x5 is unknown'],
    ['too few fields', '0x02c0', 'must have 12 fields'],
    ['a list in place of bytes', '0xc9c0808080808080808080', 'follow'],
  ])('the transaction decoder refuses %s', (_, raw, problem) => {
    expect(() => decodeTransaction(hexToBytes(raw))).toThrow(problem)
  })

  test.each([
    ['a nonce of more than 64 bits', { nonce: 1n << 64n }, 'nonce is longer than 8 bytes'],
    ['a gas limit of more than 64 bits', { gasLimit: 1n << 64n }, 'gasLimit is longer than 8 bytes'],
  ])('the transaction decoder refuses %s', (_, change, problem) => {
    const { raw } = signTransaction(plain, privateKey)
    const broken = encodeTransaction({ ...decodeTransaction(raw), ...change } as typeof plain & { signature: never })
    expect(() => decodeTransaction(broken)).toThrow(problem)
  })

  test('transactions refuse an integer with a leading zero', () => {
    const none = new Uint8Array(0)
    const fields = [Uint8Array.of(0, 1), 1, 21000, none, 0, none, 27, 1, 1]
    expect(() => decodeTransaction(encodeRlp(fields))).toThrow('nonce has a leading zero')
  })

  test('transactions refuse a blob transaction without recipient', () => {
    const fields = [1, 0, 1, 1, 21000, new Uint8Array(0), 0, new Uint8Array(0), [], 1, [], 0, 1, 1]
    expect(() => decodeTransaction(encodeTyped(BLOB, fields))).toThrow('to must have 20 bytes')
  })

  test('transactions refuse a legacy v that is neither old nor of EIP-155', () => {
    const { transaction } = signTransaction({ ...plain, chainId: null }, privateKey)
    const raw = encodeTransaction({ ...transaction, signature: { r: 1n, s: 1n, yParity: 4 } } as typeof transaction)
    expect(() => decodeTransaction(raw)).toThrow('v of 31')
  })

  test('transactions have no sender if s is high (EIP-2)', () => {
    const { transaction, from } = signTransaction(plain, privateKey)
    if (transaction.type !== LEGACY) throw new Error('expected a legacy transaction')
    const { r, s, yParity } = transaction.signature
    const mirrored = { ...transaction, signature: { r, s: ORDER - s, yParity: 1 - yParity } }
    expect(senderOf(transaction)).toBe(from)
    expect(senderOf(mirrored)).toBeNull()
    expect(() => recoverTransaction(encodeTransaction(mirrored))).toThrow('no sender recovered')
  })

  test.each([
    [100n, 10n, 50n, 60n],
    [55n, 10n, 50n, 55n],
    [100n, 0n, 50n, 50n],
  ])(
    'transactions with a limit of %s and a tip of %s pay, at a base fee of %s, %s',
    (maxFeePerGas, tip, baseFee, price) => {
      const fees = { maxFeePerGas, maxPriorityFeePerGas: tip }
      const { transaction } = signTransaction({ ...plain, ...fees, type: 2, chainId: 1n, accessList: [] }, privateKey)
      expect(effectiveGasPrice(transaction, baseFee)).toBe(price)
    },
  )
})

describe('authorizations', () => {
  const authorization = signAuthorization({ chainId: 1n, address: 0xbeefn, nonce: 7n }, privateKey)

  test('authorizations show who signed, as viem finds it', async () => {
    expect(authorityOf(authorization)).toBe(addressOfPrivateKey(privateKey))
    const signed = await account.signAuthorization({ chainId: 1, address: addressToHex(0xbeefn), nonce: 7 })
    expect(wordToHex(authorization.signature.r)).toBe(signed.r)
    expect(wordToHex(authorization.signature.s)).toBe(signed.s)
    expect(authorization.signature.yParity).toBe(signed.yParity)
  })

  test('authorizations are void, not malformed, with a high s or an odd parity', () => {
    const { r, s, yParity } = authorization.signature
    expect(authorityOf({ ...authorization, signature: { r, s: ORDER - s, yParity: 1 - yParity } })).toBeNull()
    const odd = { ...authorization, signature: { r, s, yParity: 255 } }
    expect(authorityOf(odd)).toBeNull()
    const unsigned: Unsigned = { ...dynamic, type: SET_CODE, to: 1n, authorizationList: [odd] }
    expect(recoverTransaction(signTransaction(unsigned, privateKey).raw).transaction).toMatchObject({
      authorizationList: [odd],
    })
  })
})

const payload = { nonce: 1n, gasLimit: 21_000n, to: 0xdeadn, value: 1n, data: new Uint8Array(0) }
const plain = { ...payload, type: LEGACY, chainId: 1n, gasPrice: 1n } as const
const dynamic = { ...payload, chainId: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, accessList: [] } as const

const VIEM_TYPES = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702'] as const

function toViem(unsigned: Unsigned): viem.TransactionSerializable {
  const { type, chainId, to, nonce, gasLimit, data, ...rest } = unsigned
  const shared = {
    ...rest,
    type: VIEM_TYPES[type],
    chainId: chainId === null ? undefined : Number(chainId),
    to: to === null ? undefined : addressToHex(to),
    nonce: Number(nonce),
    gas: gasLimit,
    data: bytesToHex(data),
    ...('accessList' in unsigned && {
      accessList: unsigned.accessList.map(({ address, storageKeys }) => ({
        address: addressToHex(address),
        storageKeys: storageKeys.map(wordToHex),
      })),
    }),
    ...('blobVersionedHashes' in unsigned && { blobVersionedHashes: unsigned.blobVersionedHashes.map(wordToHex) }),
    ...('authorizationList' in unsigned && {
      authorizationList: unsigned.authorizationList.map((each) => ({
        chainId: Number(each.chainId),
        address: addressToHex(each.address),
        nonce: Number(each.nonce),
        yParity: each.signature.yParity,
        r: wordToHex(each.signature.r),
        s: wordToHex(each.signature.s),
      })),
    }),
  }
  return shared as unknown as viem.TransactionSerializable
}

function depositToViem(deposit: DepositTransaction) {
  return {
    type: 'deposit' as const,
    sourceHash: deposit.sourceHash as Hex,
    from: addressToHex(deposit.from),
    ...(deposit.to !== null && { to: addressToHex(deposit.to) }),
    mint: deposit.mint,
    value: deposit.value,
    gas: deposit.gasLimit,
    isSystemTx: deposit.isSystemTx,
    data: bytesToHex(deposit.data),
  }
}
