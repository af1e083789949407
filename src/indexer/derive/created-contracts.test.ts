import { expect, test } from 'vitest'
import type { CallFrame } from '../../chain/trace/call-frame.ts'
import { positionOf } from '../../store/schema/position.ts'
import type { TransactionRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { createdContracts } from './created-contracts.ts'

const [CREATOR, CREATED, LIBRARY] = [0xa1n, 0xb1n, 0xc1n]
const EMPTY = new Uint8Array(0)

function frame(fields: Partial<CallFrame>): CallFrame {
  return {
    type: 'call',
    from: CREATOR,
    to: CREATED,
    value: 0n,
    gas: 0n,
    gasUsed: 0n,
    input: EMPTY,
    output: EMPTY,
    error: null,
    revertReason: null,
    calls: [],
    ...fields,
  }
}

const destroyed = frame({ type: 'selfdestruct', from: CREATED, to: CREATOR })

/** The addresses that a call of CREATOR created. */
function createdBy(creation: Partial<CallFrame>): string[] {
  const outermost = frame({ to: CREATOR, calls: [frame({ type: 'create', ...creation })] })
  const row = { contractAddress: null, pos: positionOf(3, 0), sender: '0xff' } as unknown as TransactionRow
  const block = { traces: [outermost] } as unknown as NodeBlock
  return createdContracts(block, [row]).map(({ address }) => address)
}

const address = `0x${'b1'.padStart(40, '0')}`

test('a creation with code is a contract, one without is none', () => {
  expect(createdBy({ output: new Uint8Array([1]) })).toEqual([address])
  expect(createdBy({})).toEqual([])
})

test('a contract that destroys itself in its constructor is known as a contract', () => {
  expect(createdBy({ calls: [destroyed] })).toEqual([address])
  const borrowed = frame({ type: 'delegatecall', from: CREATED, to: LIBRARY, calls: [destroyed] })
  expect(createdBy({ calls: [borrowed] })).toEqual([address])
})

test('a creation whose constructor only tried to destroy it, or destroyed another, is no contract', () => {
  const failed = frame({ from: CREATED, to: LIBRARY, error: 'execution reverted', calls: [destroyed] })
  expect(createdBy({ calls: [failed] })).toEqual([])
  expect(createdBy({ calls: [frame({ type: 'selfdestruct', from: LIBRARY, to: CREATOR })] })).toEqual([])
})
