// Matching and its sentences on small invented code, without a compiler.
import { describe, expect, test } from 'vitest'
import { concatBytes, hexToBytes } from '../../chain/bytes/hex.ts'
import type { CompiledCode, CompiledContract, Placeholder } from './compiled-contract.ts'
import { explainMismatch } from './explain.ts'
import { type CodeMismatch, type MatchInput, matchContract } from './match.ts'
import type { ChainCode } from './verdict.ts'

const ADDRESS = `0x${'ab'.repeat(20)}` as const
const LIBRARY = `0x${'11'.repeat(20)}` as const
/** PUSH1 1, PUSH1 2, ADD, PUSH20 of a library, STOP. */
const BODY = hexToBytes(`0x6001600201${`73${'00'.repeat(20)}`}00`)
const LIBRARY_RANGE = { start: 6, end: 26 }

/** `solc` 0.8.30 and an IPFS hash of 32 equal bytes. */
function metadata(byte: string): Uint8Array {
  return hexToBytes(`0xa264697066735822${'1220'}${byte.repeat(32)}64736f6c634300081e0033`)
}

function code(bytes: Uint8Array, libraries: readonly Placeholder[] = []): CompiledCode {
  return { bytes, libraries, immutables: [] }
}

const runtime = concatBytes(BODY, metadata('aa'))
const compiled: CompiledContract = {
  file: 'A.sol',
  name: 'A',
  abi: [],
  metadata: undefined,
  runtime: code(runtime, [{ name: 'L.sol:Sums', ranges: [LIBRARY_RANGE] }]),
  creation: code(new Uint8Array()),
  storageLayout: null,
  devdoc: null,
  userdoc: null,
  methodIdentifiers: {},
}

function onChain(changes: Partial<{ body: Uint8Array; tail: Uint8Array }> = {}): ChainCode {
  const { body = BODY, tail = metadata('aa') } = changes
  const linked = Uint8Array.from(body)
  linked.set(hexToBytes(LIBRARY), LIBRARY_RANGE.start)
  return { address: ADDRESS, runtime: concatBytes(linked, tail), creation: undefined }
}

function match(chain: ChainCode, changes: Partial<MatchInput> = {}) {
  const proven = { runtime: [], creation: [] }
  return matchContract({
    language: 'solidity',
    compiled,
    chain,
    endsInMetadata: true,
    libraries: [],
    proven,
    ...changes,
  })
}

function explain(chain: ChainCode, changes: Partial<MatchInput> = {}, matchingContracts: readonly string[] = []) {
  const compiler = { language: 'solidity', version: '0.8.30', longVersion: '0.8.30+commit.73712a01' } as const
  const input = { language: 'Solidity', sources: {}, settings: {} } as const
  const mismatch = match(chain, changes) as CodeMismatch
  return explainMismatch({ compiler, compiled, input, chain, mismatch, matchingContracts })
}

describe('matching runtime code', () => {
  test('matching runtime code equal code with equal metadata is exact, and the library is read from the chain', () => {
    const found = match(onChain())
    expect(found).toMatchObject({ type: 'match', runtime: 'exact', creation: undefined })
    expect(found.type === 'match' && [...found.libraries]).toEqual([['L.sol:Sums', LIBRARY]])
  })

  test('matching runtime code equal code with other metadata, or none, is partial', () => {
    expect(match(onChain({ tail: metadata('bb') }))).toMatchObject({ type: 'match', runtime: 'partial' })
    expect(match(onChain({ tail: new Uint8Array() }))).toMatchObject({ type: 'match', runtime: 'partial' })
  })

  test('bytes behind the metadata are a mismatch of the length', () => {
    const longer = onChain({ tail: concatBytes(metadata('aa'), Uint8Array.of(0)) })
    expect(match(longer)).toMatchObject({ type: 'mismatch', difference: { lies: 'length', offset: BODY.length } })
  })

  test('other metadata in the middle of the code has to be proven by a second compilation', () => {
    const inside = (byte: string) => concatBytes(BODY, metadata(byte), Uint8Array.of(0))
    const both = { ...compiled, runtime: code(concatBytes(inside('cc'), metadata('aa')), compiled.runtime.libraries) }
    const chain = onChain({ body: inside('dd') })
    expect(match(chain, { compiled: both }).type).toBe('unproven')
    const range = { start: BODY.length, end: BODY.length + metadata('cc').length }
    expect(match(chain, { compiled: both, proven: { runtime: [range], creation: [] } })).toMatchObject({
      type: 'match',
      runtime: 'partial',
    })
  })
})

describe('the sentences of a mismatch', () => {
  test('other code is explained by the first byte that differs', () => {
    const body = Uint8Array.from(BODY)
    body[3] = 0x09
    const verdict = explain(onChain({ body }))
    expect(verdict.code).toBe('no_match')
    expect(verdict.message).toMatch(
      /^The code of A\.sol:A is not the code on chain\. The runtime code differs first at byte 3, in the code itself/,
    )
    expect(verdict.details).toMatchObject({ compilerOnChain: '0.8.30', firstDifference: { offset: 3, lies: 'code' } })
  })

  test('another contract of the sources that matches is named in place of a guess about settings', () => {
    const body = Uint8Array.from(BODY)
    body[3] = 0x09
    const verdict = explain(onChain({ body }), {}, ['B.sol:B'])
    expect(verdict.message).toContain('The code on chain is that of B.sol:B.')
    expect(verdict.message).not.toContain('settings')
  })

  test('a library at another address than declared is named with both addresses', () => {
    const verdict = explain(onChain(), { libraries: [{ name: 'Sums', address: ADDRESS }] })
    expect(verdict).toMatchObject({
      code: 'library_mismatch',
      message: `The library L.sol:Sums is said to be at ${ADDRESS}, but the code on chain is linked to ${LIBRARY}.`,
    })
  })

  test('a library without an address in the code on chain is named as not linked', () => {
    const chain = { ...onChain(), runtime: concatBytes(BODY, metadata('aa')) }
    expect(explain(chain).message).toBe('The library L.sol:Sums is not linked in the code on chain.')
  })
})
