// Code that needs hashing or ABIs: loaded on first use.
import type { Abi, Hex } from 'viem'
import { decodeFunctionData, getAddress, parseAbi, toFunctionSignature } from 'viem/utils'

export function checksummed(address: string): string {
  return getAddress(address.toLowerCase())
}

/** The function and its arguments, one per line. */
export function decodedCall(abiText: string, data: string): string {
  const abi = abiFrom(abiText)
  const { functionName, args = [] } = decodeFunctionData({ abi, data: data as Hex })
  const found = abi.find(
    (item) => item.type === 'function' && item.name === functionName && item.inputs.length === args.length,
  )
  const inputs = found?.type === 'function' ? found.inputs : []
  const title = found?.type === 'function' ? toFunctionSignature(found) : functionName
  const lines = args.map((value, i) => `  ${inputs[i]?.type ?? ''} ${inputs[i]?.name || i} = ${textOf(value)}`)
  return [title, ...lines].join('\n')
}

function abiFrom(text: string): Abi {
  if (!text.startsWith('[') && !text.startsWith('{')) return parseAbi([text.replace(/^(function\s+)?/, 'function ')])
  const given = JSON.parse(text) as Abi | { abi: Abi } | Abi[number]
  if (Array.isArray(given)) return given
  return 'abi' in given ? given.abi : [given as Abi[number]]
}

function textOf(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each), 1).replace(/\n\s*/g, ' ')
    : String(value)
}
