// Widely used events by topic, for contracts whose ABI is not known. Only types of one 32-byte word are decoded; any other log is shown
// raw.
import type { DecodedArgument } from '../../../src/contract/pages.ts'

type Parameter = readonly [type: 'address' | 'uint' | 'bool' | 'bytes32', name: string, isIndexed: boolean]
type KnownEvent = { readonly name: string; readonly parameters: readonly Parameter[] }

export type DecodedEvent = { readonly name: string; readonly arguments: readonly DecodedArgument[] }

function address(name: string, isIndexed = true): Parameter {
  return ['address', name, isIndexed]
}
function uint(name: string, isIndexed = false): Parameter {
  return ['uint', name, isIndexed]
}

/** One topic can have several events that differ in indexed parameters; the number of topics decides. */
const events: Readonly<Record<string, readonly KnownEvent[]>> = {
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef': [
    { name: 'Transfer', parameters: [address('from'), address('to'), uint('value')] },
    { name: 'Transfer', parameters: [address('from'), address('to'), uint('tokenId', true)] },
  ],
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': [
    { name: 'Approval', parameters: [address('owner'), address('spender'), uint('value')] },
    { name: 'Approval', parameters: [address('owner'), address('approved'), uint('tokenId', true)] },
  ],
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31': [
    {
      name: 'ApprovalForAll',
      parameters: [address('owner'), address('operator'), ['bool', 'approved', false]],
    },
  ],
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62': [
    {
      name: 'TransferSingle',
      parameters: [address('operator'), address('from'), address('to'), uint('id'), uint('value')],
    },
  ],
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': [
    { name: 'Deposit', parameters: [address('owner'), uint('amount')] },
  ],
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': [
    { name: 'Withdrawal', parameters: [address('owner'), uint('amount')] },
  ],
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822': [
    {
      name: 'Swap',
      parameters: [
        address('sender'),
        uint('amount0In'),
        uint('amount1In'),
        uint('amount0Out'),
        uint('amount1Out'),
        address('to'),
      ],
    },
  ],
  '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1': [
    { name: 'Sync', parameters: [uint('reserve0'), uint('reserve1')] },
  ],
  '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0': [
    { name: 'OwnershipTransferred', parameters: [address('previousOwner'), address('newOwner')] },
  ],
}

const WORD = 64

export function decodedEvent(topics: readonly string[], data: string): DecodedEvent | undefined {
  const event = events[topics[0] ?? '']?.find(
    ({ parameters }) => parameters.filter(([, , isIndexed]) => isIndexed).length === topics.length - 1,
  )
  if (!event) return undefined
  const unindexed = event.parameters.filter(([, , isIndexed]) => !isIndexed).length
  if (data.length !== 2 + unindexed * WORD) return undefined
  let topic = 1
  let offset = 2
  const decoded = event.parameters.map(([type, name, isIndexed]) => {
    const word = isIndexed ? topics[topic++]!.slice(2) : data.slice(offset, offset + WORD)
    if (!isIndexed) offset += WORD
    return { name, type, value: wordAs(type, word) }
  })
  return { name: event.name, arguments: decoded }
}

function wordAs(type: Parameter[0], word: string): string {
  switch (type) {
    case 'address':
      return `0x${word.slice(24)}`
    case 'uint':
      return BigInt(`0x${word}`).toString()
    case 'bool':
      return String(BigInt(`0x${word}`) !== 0n)
    case 'bytes32':
      return `0x${word}`
  }
}
