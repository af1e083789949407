import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER, executed, SENDER, SENDER_KEY, transactionOf } from '../../../test/support/evm.ts'
import { bytesToHex, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { addressOfPrivateKey } from '../../chain/bytes/secp256k1.ts'
import { signAuthorization } from '../../chain/codec/authorization.ts'
import { recoverTransaction, signTransaction } from '../../chain/codec/recovered-transaction.ts'
import { BLOB, DEPOSIT, type DepositTransaction, SET_CODE } from '../../chain/codec/transaction.ts'
import { encodeTransaction } from '../../chain/codec/transaction-codec.ts'
import { BASE_FEE_VAULT, L1_BLOCK, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from '../../chain/rules/addresses.ts'
import type { Fork } from '../../chain/rules/forks.ts'
import { delegationTo } from '../state/delegation.ts'
import { type Allocation, MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import type { RefusalReason } from './refusal.ts'
import { executeTransaction } from './transaction.ts'

const CONTRACT = 0xc0den

function worldOf(...allocations: (readonly [bigint, Allocation])[]) {
  return new WorldState(new MemoryState([[SENDER, { balance: ETHER }], ...allocations]))
}

describe('a transfer', () => {
  test('a transfer moves the value, pays the tip and burns the base fee', () => {
    const world = worldOf()
    const result = executed(executeTransaction(world, blockOf('prague'), transactionOf({ value: 5n })))
    expect(result).toMatchObject({ succeeded: true, gasUsed: 21_000n, effectiveGasPrice: 12n, error: null })
    expect(world.account(0xbeefn)?.balance).toBe(5n)
    expect(world.account(0xc01bn)?.balance).toBe(21_000n * 2n)
    expect(world.account(SENDER)).toMatchObject({ nonce: 1n, balance: ETHER - 5n - 21_000n * 12n })
  })
})

describe('a transaction is refused', () => {
  const refused: readonly (readonly [RefusalReason, Fork, Parameters<typeof transactionOf>[0]])[] = [
    ['nonceTooHigh', 'prague', { nonce: 1n }],
    ['insufficientFunds', 'prague', { value: ETHER }],
    ['feeCapTooLow', 'prague', { maxFeePerGas: 9n }],
    ['tipAboveFeeCap', 'prague', { maxPriorityFeePerGas: 13n }],
    ['intrinsicGas', 'prague', { gasLimit: 20_999n }],
    ['floorDataGas', 'prague', { data: new Uint8Array(1000).fill(1), gasLimit: 60_999n }],
    ['gasLimitReached', 'prague', { gasLimit: 30_000_001n }],
    ['gasLimitTooHigh', 'osaka', { gasLimit: (1n << 24n) + 1n }],
    ['initCodeTooLong', 'prague', { to: null, data: new Uint8Array(49_153), gasLimit: 20_000_000n }],
    ['wrongChainId', 'prague', { chainId: 2n }],
    ['unsupportedType', 'berlin', {}],
  ]

  test.each(refused)('a transaction is refused with %s in %s and leaves no trace', (reason, fork, changes) => {
    const world = worldOf()
    expect(executeTransaction(world, blockOf(fork), transactionOf(changes))).toMatchObject({ type: 'refused', reason })
    expect(world.takeChanges().accounts.size).toBe(0)
  })

  test('a transaction is refused with one below the nonce, in the words that wallets know', () => {
    const world = worldOf([SENDER, { balance: ETHER, nonce: 3n }])
    const refusal = executeTransaction(world, blockOf('prague'), transactionOf({ nonce: 2n }))
    expect(refusal).toMatchObject({ reason: 'nonceTooLow', message: expect.stringContaining('tx: 2 state: 3') })
  })

  test('a transaction is refused from an account with code, but not from one that borrows it', () => {
    const from = (code: Uint8Array) =>
      executeTransaction(worldOf([SENDER, { balance: ETHER, code }]), blockOf('prague'), transactionOf())
    expect(from(assemble('STOP'))).toMatchObject({ reason: 'senderNotEoa' })
    expect(from(delegationTo(CONTRACT))).toMatchObject({ type: 'executed' })
  })

  test.each(['osaka', 'karst'] as const)('a transaction is refused with more gas than 2^24 at %s', (fork) => {
    const run = (gasLimit: bigint) => executeTransaction(worldOf(), blockOf(fork), transactionOf({ gasLimit }))
    expect(run(2n ** 24n + 1n)).toMatchObject({ reason: 'gasLimitTooHigh' })
    expect(run(2n ** 24n)).toMatchObject({ type: 'executed' })
  })

  test('a transaction is refused with blobs on an OP chain', () => {
    const { transaction } = transactionOf()
    const unsigned = { ...transaction, type: BLOB, to: 1n, maxFeePerBlobGas: 1n, blobVersionedHashes: [1n << 248n] }
    const blob = signTransaction(unsigned as Parameters<typeof signTransaction>[0], SENDER_KEY)
    expect(executeTransaction(worldOf(), blockOf('isthmus'), blob)).toMatchObject({ reason: 'unsupportedType' })
    expect(executeTransaction(worldOf(), blockOf('prague'), blob)).toMatchObject({ blobGasUsed: 131_072n })
  })
})

describe('a failing transaction', () => {
  test('a failing transaction keeps revert data and what is left of the gas', () => {
    const code = assemble('PUSH1 0x2a PUSH0 MSTORE PUSH1 0x20 PUSH0 REVERT')
    const world = worldOf([CONTRACT, { code }])
    const result = executed(executeTransaction(world, blockOf('prague'), transactionOf({ to: CONTRACT, value: 1n })))
    expect(result).toMatchObject({ succeeded: false, error: 'execution reverted' })
    expect(result.output[31]).toBe(0x2a)
    expect(result.gasUsed).toBeLessThan(22_000n)
    expect(world.account(CONTRACT)?.balance).toBe(0n)
  })

  test('a failing transaction uses up all its gas on an invalid operation', () => {
    const world = worldOf([CONTRACT, { code: assemble('INVALID') }])
    const result = executed(executeTransaction(world, blockOf('prague'), transactionOf({ to: CONTRACT })))
    expect(result).toMatchObject({ gasUsed: 100_000n, error: 'invalid opcode: INVALID' })
  })
})

test('a transaction with much data pays the floor of EIP-7623', () => {
  const data = new Uint8Array(1000).fill(1)
  const result = executed(executeTransaction(worldOf(), blockOf('prague'), transactionOf({ data })))
  expect(result.gasUsed).toBe(21_000n + 10n * 4n * 1000n)
})

describe('EIP-7702', () => {
  const authorityKey = new Uint8Array(32).fill(9)
  const authority = addressOfPrivateKey(authorityKey)
  const setCode = (nonce: bigint, to = authority) =>
    signTransaction(
      {
        ...transactionOf().transaction,
        type: SET_CODE,
        to,
        authorizationList: [signAuthorization({ chainId: 1n, address: CONTRACT, nonce }, authorityKey)],
      } as Parameters<typeof signTransaction>[0],
      SENDER_KEY,
    )

  test('EIP-7702 runs the borrowed code on the storage of the authority', () => {
    const world = worldOf([CONTRACT, { code: assemble('PUSH1 0x2a PUSH0 SSTORE') }])
    executed(executeTransaction(world, blockOf('prague'), setCode(0n)))
    expect(world.storage(authority, 0n)).toBe(0x2an)
    expect(world.account(authority)?.nonce).toBe(1n)
    expect(world.code(authority, world.account(authority)!.codeHash)?.bytes).toEqual(delegationTo(CONTRACT))
  })

  test('EIP-7702 passes over an authorization with a wrong nonce and goes on', () => {
    const world = worldOf()
    expect(executed(executeTransaction(world, blockOf('prague'), setCode(1n))).succeeded).toBe(true)
    expect(world.account(authority)).toBeNull()
  })
})

describe('a deposit', () => {
  const depositOf = (changes: Partial<DepositTransaction> = {}) =>
    recoverTransaction(
      encodeTransaction({
        type: DEPOSIT,
        sourceHash: bytesToHex(new Uint8Array(32)),
        from: 0xd0n,
        to: 0xbeefn,
        mint: 0n,
        value: 0n,
        gasLimit: 100_000n,
        isSystemTx: false,
        data: EMPTY_BYTES,
        ...changes,
      }),
    )

  test('a deposit mints, moves and pays nothing', () => {
    const world = worldOf()
    const result = executed(executeTransaction(world, blockOf('isthmus'), depositOf({ mint: 9n, value: 4n })))
    expect(result).toMatchObject({ succeeded: true, gasUsed: 21_000n, depositNonce: 0n, effectiveGasPrice: 0n })
    expect(world.account(0xd0n)).toMatchObject({ balance: 5n, nonce: 1n })
    expect(world.account(0xc01bn)).toBeNull()
  })

  test.each([
    ['its value is more than the sender has', { value: 10n }],
    ['its gas does not cover the beginning', { gasLimit: 20_000n }],
    ['its init code is too long', { to: null, data: new Uint8Array(49_153), gasLimit: 29_000_000n }],
  ])('a deposit that fails because %s keeps the mint, steps the nonce and uses all gas', (_, changes) => {
    const world = worldOf()
    const deposit = depositOf({ mint: 9n, ...changes })
    const result = executed(executeTransaction(world, blockOf('isthmus'), deposit))
    expect(result).toMatchObject({ succeeded: false, gasUsed: deposit.transaction.gasLimit, depositNonce: 0n })
    expect(world.account(0xd0n)).toMatchObject({ balance: 9n, nonce: 1n })
  })

  test('a deposit may have more gas than a transaction since Karst', () => {
    const deposit = depositOf({ gasLimit: 20_000_000n })
    expect(executeTransaction(worldOf(), blockOf('karst'), deposit)).toMatchObject({ succeeded: true })
  })

  test('a deposit that reverts keeps the mint, and the gas it did not use does not count', () => {
    const world = worldOf([CONTRACT, { code: assemble('PUSH0 PUSH0 REVERT') }])
    const result = executed(
      executeTransaction(world, blockOf('isthmus'), depositOf({ to: CONTRACT, mint: 9n, value: 9n })),
    )
    expect(result).toMatchObject({ succeeded: false, gasUsed: 21_004n })
    expect(world.account(0xd0n)?.balance).toBe(9n)
  })
})

describe('an OP transaction', () => {
  const storage = [
    [1n, 1_000_000_000n],
    [3n, (2n << 96n) | (3n << 64n)],
    [7n, 10_000_000n],
    [8n, (5_000_000n << 64n) | 77n],
  ] as const
  const l1Block = [L1_BLOCK, { nonce: 1n, storage }] as const

  test('an OP transaction pays data and operator fees into the vaults', () => {
    const world = worldOf(l1Block)
    const { gasUsed, rollup } = executed(executeTransaction(world, blockOf('isthmus'), transactionOf()))
    expect(rollup).toMatchObject({ l1Fee: 3_203_000n, operatorFee: gasUsed * 5n + 77n })
    expect(world.account(BASE_FEE_VAULT)?.balance).toBe(gasUsed * 10n)
    expect(world.account(L1_FEE_VAULT)?.balance).toBe(3_203_000n)
    expect(world.account(OPERATOR_FEE_VAULT)?.balance).toBe(gasUsed * 5n + 77n)
  })

  test('an OP transaction is refused where the balance covers gas and value but not the fees of the rollup', () => {
    const balance = 100_000n * 12n + 3_203_000n + 100_000n * 5n + 77n
    const run = (has: bigint) =>
      executeTransaction(worldOf(l1Block, [SENDER, { balance: has }]), blockOf('isthmus'), transactionOf())
    expect(run(balance)).toMatchObject({ type: 'executed' })
    expect(run(balance - 1n)).toMatchObject({ reason: 'insufficientFunds' })
  })

  test('neither makes nor loses money', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, ETHER / 2n),
        fc.bigInt(21_000n, 200_000n),
        fc.bigInt(0n, 50n),
        (value, gasLimit, tip) => {
          const state = new MemoryState([[SENDER, { balance: ETHER }], l1Block])
          const world = new WorldState(state)
          const fees = { maxFeePerGas: 10n + tip, maxPriorityFeePerGas: tip }
          executed(executeTransaction(world, blockOf('isthmus'), transactionOf({ value, gasLimit, ...fees })))
          state.apply(world.takeChanges())
          expect([...state.accounts.values()].reduce((sum, { balance }) => sum + balance, 0n)).toBe(ETHER)
        },
      ),
      { numRuns: 20 },
    )
  })
})
