// Decodes the constructor arguments that follow the creation code.
import type { Abi, AbiParameter } from 'viem'
import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils'
import { bytesToHex } from '../../chain/bytes/hex.ts'
import type { DecodedArgument } from './verdict.ts'

/** Undefined where the bytes do not encode back to the same: then they are not arguments of this constructor. */
export function decodedArguments(abi: Abi, bytes: Uint8Array): readonly DecodedArgument[] | undefined {
  const inputs = constructorInputs(abi)
  if (inputs.length === 0) return bytes.length === 0 ? [] : undefined
  const hex = bytesToHex(bytes)
  try {
    const codable = inputs.map(codableParameter)
    const values: readonly unknown[] = decodeAbiParameters(codable, hex)
    if (encodeAbiParameters(codable, values) !== hex) return undefined
    return inputs.map((input, index) => {
      return { name: input.name ?? '', type: input.type, value: plain(values[index], input) }
    })
  } catch {
    return undefined
  }
}

export function constructorInputs(abi: Abi): readonly AbiParameter[] {
  return abi.find((item) => item.type === 'constructor')?.inputs ?? []
}

/** viem cannot code function values and Vyper's decimals: they are coded as the types that they are stored as. */
function codableParameter(parameter: AbiParameter): AbiParameter {
  const type = parameter.type
    .replace(/^function(?=$|\[)/, 'bytes24')
    .replace(/^(u?)fixed(\d+)x\d+/, (_, sign, bits) => `${sign}int${bits}`)
  const components = 'components' in parameter ? { components: parameter.components.map(codableParameter) } : {}
  return { ...parameter, ...components, type }
}

/** A value for JSON: integers as decimal text, addresses in lower case. */
function plain(value: unknown, parameter: AbiParameter): unknown {
  if (Array.isArray(value)) {
    const components = 'components' in parameter && parameter.type === 'tuple' ? parameter.components : undefined
    const element = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, '') } as AbiParameter
    return value.map((inner, index) => plain(inner, components?.[index] ?? element))
  }
  if (typeof value === 'object' && value !== null && 'components' in parameter) {
    const named = value as Readonly<Record<string, unknown>>
    return Object.fromEntries(parameter.components.map((inner) => [inner.name!, plain(named[inner.name!], inner)]))
  }
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  return parameter.type === 'address' ? String(value).toLowerCase() : value
}
