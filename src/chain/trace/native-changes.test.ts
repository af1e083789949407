import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEPOSIT, LEGACY, type Transaction } from '../codec/transaction.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from '../rules/addresses.ts'
import { burntOf, type FeeFacts, feeOf } from '../rules/fee-split.ts'
import { type CallFrame, type CallFrameType, callFrameTypes } from './call-frame.ts'
import { type ChangedBlock, type ChangedTransaction, nativeChanges } from './native-changes.ts'

const SENDER = 0xa1n
const CONTRACT = 0xc1n
const OTHER = 0xc2n
const MINER = 0x99n

const noFees: FeeFacts = { gasUsed: 0n, effectiveGasPrice: 0n, l1Fee: 0n, operatorFee: 0n, blobFee: 0n }
const fees: FeeFacts = { gasUsed: 21_000n, effectiveGasPrice: 10n, l1Fee: 500n, operatorFee: 70n, blobFee: 0n }

function frame(
  type: CallFrameType,
  [from, to, value]: readonly [bigint, bigint, bigint],
  calls: readonly CallFrame[] = [],
  error: string | null = null,
): CallFrame {
  return {
    type,
    from,
    to,
    value,
    gas: 0n,
    gasUsed: 0n,
    input: new Uint8Array(0),
    output: new Uint8Array(0),
    error,
    revertReason: null,
    calls,
  }
}

const legacy = { type: LEGACY } as Transaction
function sent(call: CallFrame | null, paid: FeeFacts = noFees): ChangedTransaction {
  return {
    transaction: legacy,
    from: SENDER,
    fees: paid,
    frame: call,
  }
}

function block(transactions: readonly ChangedTransaction[], rest: Partial<ChangedBlock> = {}): ChangedBlock {
  return {
    miner: MINER,
    baseFeePerGas: 7n,
    isOp: false,
    isCancun: true,
    transactions,
    withdrawals: [],
    ...rest,
  }
}

function changesOf(transactions: readonly ChangedTransaction[], rest: Partial<ChangedBlock> = {}) {
  return Object.fromEntries([...nativeChanges(block(transactions, rest))].filter(([, wei]) => wei !== 0n))
}

test('the value of calls and creations moves, and no other value', () => {
  const inner = (['callcode', 'delegatecall', 'staticcall'] as const).map((type) => frame(type, [CONTRACT, OTHER, 9n]))
  const call = frame('call', [SENDER, CONTRACT, 5n], [frame('create2', [CONTRACT, OTHER, 2n]), ...inner])
  expect(changesOf([sent(call)])).toEqual({ [`${SENDER}`]: -5n, [`${CONTRACT}`]: 3n, [`${OTHER}`]: 2n })
})

test('a failed call takes back what happened inside it, not what its caller did', () => {
  const failed = frame('call', [CONTRACT, OTHER, 3n], [frame('call', [OTHER, SENDER, 1n])], 'execution reverted')
  expect(changesOf([sent(frame('call', [SENDER, CONTRACT, 5n], [failed]))])).toEqual({
    [`${SENDER}`]: -5n,
    [`${CONTRACT}`]: 5n,
  })
})

describe('fees', () => {
  test('the miner gets the tip and the base fee is burnt on Ethereum', () => {
    const paid = { ...fees, l1Fee: 0n, operatorFee: 0n, blobFee: 11n }
    expect(changesOf([sent(null, paid)])).toEqual({ [`${SENDER}`]: -210_011n, [`${MINER}`]: 63_000n })
  })

  test('each part of the fee goes to its vault on the OP Stack', () => {
    expect(changesOf([sent(null, fees)], { isOp: true })).toEqual({
      [`${SENDER}`]: -210_570n,
      [`${MINER}`]: 63_000n,
      [`${BASE_FEE_VAULT}`]: 147_000n,
      [`${L1_FEE_VAULT}`]: 500n,
      [`${OPERATOR_FEE_VAULT}`]: 70n,
    })
  })

  test('a deposit pays no fee, and what it mints stays even where it fails', () => {
    const deposit = { type: DEPOSIT, mint: 40n } as Transaction
    const failed = frame('call', [SENDER, OTHER, 30n], [], 'execution reverted')
    expect(changesOf([{ ...sent(failed, fees), transaction: deposit }], { isOp: true })).toEqual({ [`${SENDER}`]: 40n })
  })
})

test('withdrawals are paid out in gwei', () => {
  const withdrawals = [{ index: 0n, validatorIndex: 0n, address: OTHER, amountGwei: 3n }]
  expect(changesOf([], { withdrawals })).toEqual({ [`${OTHER}`]: 3_000_000_000n })
})

describe('a contract that destroys itself', () => {
  const toSelf = frame('selfdestruct', [CONTRACT, CONTRACT, 8n])
  const toOther = frame('selfdestruct', [CONTRACT, OTHER, 8n])

  test('a contract that destroys itself sends what it had to its heir', () => {
    expect(changesOf([sent(toOther)])).toEqual({ [`${CONTRACT}`]: -8n, [`${OTHER}`]: 8n })
  })

  test('a contract that destroys itself burns what it leaves to itself, since Cancun only where it was made in the same transaction', () => {
    const call = frame('call', [SENDER, CONTRACT, 0n], [toSelf])
    expect(changesOf([sent(call)], { isCancun: false })).toEqual({ [`${CONTRACT}`]: -8n })
    expect(changesOf([sent(call)], { isCancun: true })).toEqual({})
    const creation = frame('create', [SENDER, CONTRACT, 8n], [toSelf])
    expect(changesOf([sent(creation)], { isCancun: true })).toEqual({ [`${SENDER}`]: -8n })
  })

  test('a contract that destroys itself takes with it what comes to it later in the transaction, but not after', () => {
    const late = frame('call', [SENDER, CONTRACT, 5n])
    const call = frame('call', [SENDER, OTHER, 0n], [frame('call', [OTHER, CONTRACT, 0n], [toOther]), late])
    expect(changesOf([sent(call), sent(late)], { isCancun: false })).toEqual({
      [`${SENDER}`]: -10n,
      [`${CONTRACT}`]: -3n,
      [`${OTHER}`]: 8n,
    })
  })

  test('a contract that destroys itself loses a balance once, however often it destroys itself', () => {
    const again = frame('selfdestruct', [CONTRACT, CONTRACT, 5n])
    const calls = [toSelf, frame('call', [SENDER, CONTRACT, 5n]), again]
    expect(changesOf([sent(frame('call', [SENDER, OTHER, 0n], calls))], { isCancun: false })).toEqual({
      [`${SENDER}`]: -5n,
      [`${CONTRACT}`]: -8n,
    })
  })
})

test('balances in sum change only by mints, withdrawals and burnt fees', () => {
  const address = fc.bigInt(1n, 6n)
  const wei = fc.bigInt(0n, 1000n)
  const types = callFrameTypes.filter((type) => type !== 'selfdestruct')
  const { tree } = fc.letrec<{ tree: CallFrame; calls: CallFrame[] }>((tie) => ({
    calls: fc.oneof({ depthSize: 'small' }, fc.constant<CallFrame[]>([]), fc.array(tie('tree'), { maxLength: 3 })),
    tree: fc
      .tuple(fc.constantFrom(...types), address, address, wei, tie('calls'), fc.constantFrom(null, 'out of gas'))
      .map(([type, from, to, value, calls, error]) => frame(type, [from, to, value], calls, error)),
  }))
  const facts = fc
    .tuple(wei, wei, wei, wei, wei)
    .map(([gasUsed, tip, l1Fee, operatorFee, blobFee]) => ({ gasUsed, tip, l1Fee, operatorFee, blobFee }))
  const transaction = fc.tuple(tree, address, facts, fc.option(wei))
  fc.assert(
    fc.property(fc.array(transaction), fc.boolean(), wei, (all, isOp, baseFeePerGas) => {
      const transactions = all.map(([frame, from, { tip, ...rest }, mint]): ChangedTransaction => {
        const transaction = mint === null ? legacy : ({ type: DEPOSIT, mint } as Transaction)
        const paid = { ...rest, effectiveGasPrice: baseFeePerGas + tip, ...(isOp ? { blobFee: 0n } : noOpFees) }
        return { transaction, from, frame, fees: paid }
      })
      const changed = block(transactions, { isOp, baseFeePerGas })
      const minted = transactions.map(({ transaction, fees }) =>
        transaction.type === DEPOSIT ? transaction.mint : -burntOf(fees, changed),
      )
      expect(sum([...nativeChanges(changed).values()])).toBe(sum(minted))
      for (const { fees } of transactions) expect(feeOf(fees)).toBeGreaterThanOrEqual(burntOf(fees, changed))
    }),
  )
})

const noOpFees = { l1Fee: 0n, operatorFee: 0n }
function sum(all: readonly bigint[]): bigint {
  return all.reduce((total, each) => total + each, 0n)
}
