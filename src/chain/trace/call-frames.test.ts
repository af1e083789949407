// Both shapes of traces give the same frames. Recorded ones of geth lie beside the repository; where they do not, their test is skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressToHex, bytesToHex, EMPTY_BYTES, type Hex, hexToBytes, toQuantity, wordToHex } from '../bytes/hex.ts'
import type { CallFrame, ReadTrace } from './call-frame.ts'
import { framesFromCallTracer, traceFromCallTracer } from './call-tracer-frames.ts'
import { framesFromParity } from './parity-frames.ts'

const RECORDED = new URL('../../../../shared/fixtures/call-traces/call_tracer/', import.meta.url)
const areThere = existsSync(RECORDED)
if (!areThere) console.log('no recorded call traces beside the repository: their test is skipped')

const address = fc.bigInt(0n, 2n ** 160n - 1n)
const amount = fc.bigInt(0n, 2n ** 100n)
const bytes = fc.uint8Array({ maxLength: 40 })
const reverted = { error: 'execution reverted', output: errorData('no'), revertReason: 'no' }

const { frame } = fc.letrec<{ frame: CallFrame }>((tie) => ({
  frame: fc.oneof(
    { depthSize: 'small' },
    destruction(),
    call(fc.constant([])),
    call(fc.array(tie('frame'))),
    creation(),
  ),
}))

function call(calls: fc.Arbitrary<CallFrame[]>): fc.Arbitrary<CallFrame> {
  const type = fc.constantFrom('call', 'staticcall', 'delegatecall', 'callcode')
  const outcome = fc.oneof(
    bytes.map((output) => ({ error: null, output, revertReason: null })),
    fc.constant(reverted),
  )
  return fc
    .record({
      type,
      from: address,
      to: address,
      value: amount,
      gas: amount,
      gasUsed: amount,
      input: bytes,
      calls,
      outcome,
    })
    .map(({ outcome, ...rest }) => ({ ...rest, ...outcome }))
}

function creation(): fc.Arbitrary<CallFrame> {
  const fails = { to: null, output: EMPTY_BYTES, error: 'out of gas', gasUsed: 0n }
  return fc
    .record({ type: fc.constantFrom('create', 'create2'), from: address, value: amount, gas: amount, input: bytes })
    .chain((opening) =>
      fc.oneof(
        fc
          .record({ to: address, output: bytes, gasUsed: amount })
          .map((rest) => ({ ...opening, ...rest, error: null })),
        fc.constant({ ...opening, ...fails }),
      ),
    )
    .map((created) => ({ ...created, revertReason: null, calls: [] }))
}

function destruction(): fc.Arbitrary<CallFrame> {
  const empty = {
    gas: 0n,
    gasUsed: 0n,
    input: EMPTY_BYTES,
    output: EMPTY_BYTES,
    error: null,
    revertReason: null,
    calls: [],
  }
  return fc
    .record({ from: address, to: address, value: amount })
    .map((ends) => ({ type: 'selfdestruct', ...ends, ...empty }))
}

describe('call frames', () => {
  test('call frames come out of both shapes as they went in', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 4 }), (roots) => {
        const transactionHashes = roots.map((_, index) => wordToHex(BigInt(index)))
        const traces = roots.map((root, index) => ({ txHash: transactionHashes[index], result: asCallTracer(root) }))
        const flat = roots.flatMap((root, index) => asParity(root, transactionHashes[index]!, index))
        expect(framesFromCallTracer(traces, transactionHashes)).toEqual(roots.map(whole))
        expect(framesFromParity(flat, { hash: BLOCK, transactionHashes })).toEqual(roots.map(whole))
      }),
    )
  })

  test('call frames of a block need one trace a transaction, each of its own', () => {
    const trace = { txHash: wordToHex(1n), result: { type: 'CALL', from: addressToHex(1n), to: addressToHex(2n) } }
    expect(framesFromCallTracer([trace], [wordToHex(1n)])).toHaveLength(1)
    expect(() => framesFromCallTracer([trace], [])).toThrow('1 traces for 0 transactions')
    expect(() => framesFromCallTracer([trace], [wordToHex(2n)])).toThrow('trace 0 belongs to another transaction')
    expect(framesFromCallTracer([{ error: 'execution timeout' }], [wordToHex(1n)])).toEqual([
      { frame: null, unread: ['the node could not trace it: execution timeout'] },
    ])
  })

  test('call frames of a deposit that fails before it executes, as op-geth reports it, are none, and nothing is missing', () => {
    const stop = { from: addressToHex(0n), gas: '0x0', gasUsed: '0x0', input: '0x', type: 'STOP' }
    expect(framesFromCallTracer([{ txHash: wordToHex(1n), result: stop }], [wordToHex(1n)])).toEqual([
      { frame: null, unread: [] },
    ])
  })

  test('call frames of kinds that only some nodes and chains have are read as what they do', () => {
    const nested = (type: string) => ({ ...(asCallTracer(simple) as object), type })
    const kinds = ['AUTHCALL', 'EXTCALL', 'EXTSTATICCALL', 'EXTDELEGATECALL', 'EOFCREATE', 'SUICIDE']
    const { frame, unread } = traceFromCallTracer({ ...asCallTracer(simple), calls: kinds.map(nested) })
    expect(unread).toEqual([])
    expect(frame!.calls.map(({ type }) => type)).toEqual([
      'call',
      'call',
      'staticcall',
      'delegatecall',
      'create',
      'selfdestruct',
    ])
  })

  test('call frames that cannot be read cost themselves only: the calls inside belong to the call around', () => {
    const inner = { ...simple, value: 9n }
    const strange = { ...asCallTracer(simple), type: 'TELEPORT', calls: [asCallTracer(inner)] }
    const tree = { ...asCallTracer(simple), calls: [asCallTracer(simple), strange] }
    const expected = { frame: { ...simple, calls: [simple, inner] }, unread: [expect.stringMatching(/teleport/i)] }
    expect(traceFromCallTracer(tree)).toEqual(expected)
    const parent = { ...simple, calls: [simple, { ...simple, calls: [inner] }] }
    const flat = asParity(parent, wordToHex(1n), 0).map((trace, index) =>
      index === 2 ? { ...trace, action: { ...(trace as { action: object }).action, callType: 'teleport' } } : trace,
    )
    expect(framesFromParity(flat, { hash: BLOCK, transactionHashes: [wordToHex(1n)] })).toEqual([expected])
  })

  test('call frames leave rewards of miners out, and say so where a flat trace fits nowhere', () => {
    const block = { hash: BLOCK, transactionHashes: [wordToHex(1n)] }
    const [trace] = asParity(simple, wordToHex(1n), 0)
    const reward = { type: 'reward', blockHash: BLOCK, action: {}, traceAddress: [], transactionPosition: null }
    expect(framesFromParity([trace, reward], block)).toEqual([whole(simple)])
    expect(framesFromParity([], block)).toEqual([{ frame: null, unread: [] }])
    expect(() => framesFromParity([{ ...trace, blockHash: wordToHex(9n) }], block)).toThrow('another block')
    expect(() => framesFromParity([{ ...trace, transactionPosition: 1 }], block)).toThrow('does not fit the block')
    expect(() => framesFromParity([trace, trace], block)).toThrow('does not fit the block')
    expect(() => framesFromParity([{ ...trace, traceAddress: [0] }], block)).toThrow('before its parent call')
  })

  test.runIf(areThere).each(areThere ? readdirSync(RECORDED).filter((name) => name.endsWith('.json')) : [])(
    'call frames of the recorded %s are those of geth',
    (name) => {
      const { result } = JSON.parse(readFileSync(new URL(name, RECORDED), 'utf8'))
      const written = asCallTracer(traceFromCallTracer(result).frame!)
      expect(written).toMatchObject(comparable(result) as object)
    },
  )
})

function whole(frame: CallFrame): ReadTrace {
  return { frame, unread: [] }
}

const BLOCK = wordToHex(77n)
const simple: CallFrame = {
  type: 'call',
  from: 1n,
  to: 2n,
  value: 3n,
  gas: 4n,
  gasUsed: 5n,
  input: EMPTY_BYTES,
  output: EMPTY_BYTES,
  error: null,
  revertReason: null,
  calls: [],
}

/** Solidity's `Error(string)` with a short reason. */
function errorData(reason: string): Uint8Array {
  const text = bytesToHex(new TextEncoder().encode(reason)).slice(2).padEnd(64, '0')
  return hexToBytes(`0x08c379a0${wordToHex(32n).slice(2)}${wordToHex(BigInt(reason.length)).slice(2)}${text}`)
}

function asCallTracer(frame: CallFrame): object {
  return {
    type: frame.type.toUpperCase(),
    from: addressToHex(frame.from),
    ...(frame.to !== null && { to: addressToHex(frame.to) }),
    value: toQuantity(frame.value),
    gas: toQuantity(frame.gas),
    gasUsed: toQuantity(frame.gasUsed),
    input: bytesToHex(frame.input),
    ...(frame.output.length > 0 && { output: bytesToHex(frame.output) }),
    ...(frame.error !== null && { error: frame.error }),
    ...(frame.revertReason !== null && { revertReason: frame.revertReason }),
    ...(frame.calls.length > 0 && { calls: frame.calls.map(asCallTracer) }),
  }
}

/** geth reports the address of a failed creation, which was never created; and logs, which receipts have. */
function comparable(trace: Record<string, unknown>): unknown {
  const { to, logs, calls, ...rest } = trace
  const isFailedCreation = String(trace.type).startsWith('CREATE') && trace.error !== undefined
  return {
    ...rest,
    ...(!isFailedCreation && { to }),
    ...(Array.isArray(calls) && { calls: calls.map(comparable) }),
  }
}

type Placed = { readonly transactionHash: Hex; readonly transactionPosition: number }

function asParity(root: CallFrame, transactionHash: Hex, transactionPosition: number): object[] {
  return flatten(root, [], { transactionHash, transactionPosition })
}

function flatten(frame: CallFrame, traceAddress: number[], placed: Placed): object[] {
  const own = {
    ...placed,
    blockHash: BLOCK,
    traceAddress,
    ...parityParts(frame),
    ...(frame.error !== null && { error: frame.error === 'out of gas' ? 'Out of gas' : 'Reverted' }),
  }
  return [own, ...frame.calls.flatMap((each, index) => flatten(each, [...traceAddress, index], placed))]
}

function parityParts({ type, from, to, value, gas, gasUsed, input, output, error }: CallFrame): object {
  const moved = { from: addressToHex(from), value: toQuantity(value), gas: toQuantity(gas) }
  switch (type) {
    case 'selfdestruct': {
      const action = { address: addressToHex(from), refundAddress: addressToHex(to!), balance: toQuantity(value) }
      return { type: 'suicide', action, result: null }
    }
    case 'create':
    case 'create2': {
      const created = { address: addressToHex(to ?? 0n), code: bytesToHex(output), gasUsed: toQuantity(gasUsed) }
      const action = { ...moved, init: bytesToHex(input), creationMethod: type }
      return { type: 'create', action, result: error === null ? created : null }
    }
    default: {
      const action = { ...moved, to: addressToHex(to!), input: bytesToHex(input), callType: type }
      return { type: 'call', action, result: { output: bytesToHex(output), gasUsed: toQuantity(gasUsed) } }
    }
  }
}
