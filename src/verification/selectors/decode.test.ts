import {
  type Abi,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../chain/bytes/hex.ts'
import { selectorsInAbi } from './abi-selectors.ts'
import { createDecoder } from './decode.ts'
import { wellKnownMeanings } from './well-known.ts'

const OWN: Hex = `0x${'11'.repeat(20)}`
const SOMEBODY: Hex = `0x${'ab'.repeat(20)}`
const abi = parseAbi([
  'struct Order { address maker; uint256[] amounts; }',
  'function fill(Order order, bytes note) external',
  'event Filled(address indexed maker, uint256 amount)',
  'error TooLate(uint64 deadline, bool isFinal)',
]) as Abi

/** Only OWN has an ABI; other selectors are guessed from the well-known ones. */
const decoder = createDecoder({
  abisOf: async (address) => (address === OWN ? [abi] : []),
  meaningsOf: async (kind, selector) => wellKnownMeanings(kind, selector),
})

const transfer = encodeFunctionData({
  abi: parseAbi(['function transfer(address,uint256)']),
  args: [SOMEBODY, 12n],
})

describe('a call', () => {
  test('a call to a contract with an ABI is decoded by it, structs and lists included', async () => {
    const order = { maker: SOMEBODY, amounts: [1n, 2n ** 200n] }
    const data = encodeFunctionData({ abi, functionName: 'fill', args: [order, '0x1234'] })
    expect(await decoder.call(data, OWN)).toEqual({
      name: 'fill',
      signature: 'fill((address,uint256[]),bytes)',
      arguments: [
        { name: 'order', type: 'tuple', value: { maker: SOMEBODY, amounts: ['1', (2n ** 200n).toString()] } },
        { name: 'note', type: 'bytes', value: '0x1234' },
      ],
      isGuess: false,
    })
    // Bytes behind the arguments do not matter with the contract's own ABI.
    expect(await decoder.call(`${data}c0ffee`, OWN)).toMatchObject({ name: 'fill', isGuess: false })
  })

  test('a call to an unknown contract is decoded by its selector and marked as a guess', async () => {
    expect(await decoder.call(transfer, SOMEBODY)).toMatchObject({
      signature: 'transfer(address,uint256)',
      arguments: [{ value: SOMEBODY }, { value: '12' }],
      isGuess: true,
    })
    expect(await decoder.call(transfer)).toMatchObject({ isGuess: true })
  })

  test('a call whose data do not fit the guess is not decoded', async () => {
    expect(await decoder.call(`${transfer}00`)).toBeUndefined()
    expect(await decoder.call(transfer.slice(0, 74) as Hex)).toBeUndefined()
    expect(await decoder.call('0x')).toBeUndefined()
    expect(await decoder.call('0xdeadbeef', OWN)).toBeUndefined()
  })
})

test('a log is decoded by the ABI, or guessed by its selector and the number of its topics', async () => {
  const [topic0] = encodeEventTopics({ abi, eventName: 'Filled' })
  const maker = encodeAbiParameters([{ type: 'address' }], [SOMEBODY])
  const log = { topics: [topic0 as Hex, maker], data: encodeAbiParameters([{ type: 'uint256' }], [5n]) }
  expect(await decoder.log(log, OWN)).toEqual({
    name: 'Filled',
    signature: 'Filled(address,uint256)',
    arguments: [
      { name: 'maker', type: 'address', value: SOMEBODY },
      { name: 'amount', type: 'uint256', value: '5' },
    ],
    isGuess: false,
  })
  expect(await decoder.log(log, SOMEBODY)).toBeUndefined()
  const erc20 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
  const erc721 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])
  const parties = { from: SOMEBODY, to: OWN }
  const twenty = encodeEventTopics({ abi: erc20, args: parties }) as Hex[]
  const collectible = encodeEventTopics({ abi: erc721, args: { ...parties, tokenId: 9n } }) as Hex[]
  const amount = encodeAbiParameters([{ type: 'uint256' }], [77n])
  expect(await decoder.log({ topics: twenty, data: amount })).toMatchObject({
    isGuess: true,
    arguments: [{ value: SOMEBODY }, { value: OWN }, { value: '77' }],
  })
  expect(await decoder.log({ topics: collectible, data: '0x' })).toMatchObject({
    isGuess: true,
    arguments: [{}, {}, { value: '9' }],
  })
})

test('an error is decoded by the ABI, as an error of Solidity, or as a guess', async () => {
  const late = encodeErrorResult({ abi, errorName: 'TooLate', args: [99n, true] })
  expect(await decoder.error(late, OWN)).toMatchObject({
    signature: 'TooLate(uint64,bool)',
    arguments: [{ value: '99' }, { value: true }],
    isGuess: false,
  })
  const plain = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['no'] })
  expect(await decoder.error(plain, OWN)).toMatchObject({ name: 'Error', arguments: [{ value: 'no' }], isGuess: false })
  const denied = encodeErrorResult({ abi: parseAbi(['error OwnableUnauthorizedAccount(address)']), args: [SOMEBODY] })
  expect(await decoder.error(denied)).toMatchObject({ name: 'OwnableUnauthorizedAccount', isGuess: true })
})

test('the selectors of an ABI have readable items, also where a parameter is named by a keyword', () => {
  const odd: Abi = [
    { type: 'function', name: 'f', stateMutability: 'view', inputs: [{ type: 'uint8', name: 'error' }], outputs: [] },
    { type: 'event', name: 'Secret', anonymous: true, inputs: [] },
    { type: 'constructor', stateMutability: 'payable', inputs: [] },
  ]
  expect(selectorsInAbi(odd)).toEqual([
    { kind: 'function', selector: toFunctionSelector('f(uint8)'), text: 'function f(uint8)' },
  ])
  const erc20 = parseAbi(['function transfer(address to, uint256 amount)']) as Abi
  expect(selectorsInAbi(erc20)).toEqual([
    { kind: 'function', selector: '0xa9059cbb', text: 'function transfer(address to, uint256 amount)' },
  ])
})
