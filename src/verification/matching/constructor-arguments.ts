// Constructor arguments as they stand behind the creation code, and as the ABI reads them.
import type { Abi, AbiParameter } from 'viem'
import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils'
import { bytesToHex } from '../../chain/bytes/hex.ts'
import type { DecodedArgument } from './verdict.ts'

/** Null where the bytes are not what an encoder makes of the constructor's parameters: then they are something else. */
export function decodedArguments(abi: Abi, bytes: Uint8Array): readonly DecodedArgument[] | null {
  const inputs = constructorInputs(abi)
  if (inputs.length === 0) return bytes.length === 0 ? [] : null
  const hex = bytesToHex(bytes)
  try {
    const codable = inputs.map(codableParameter)
    const values: readonly unknown[] = decodeAbiParameters(codable, hex)
    if (encodeAbiParameters(codable, values) !== hex) return null
    return inputs.map((input, index) => {
      return { name: input.name ?? '', type: input.type, value: plain(values[index], input) }
    })
  } catch {
    return null
  }
}

export function constructorInputs(abi: Abi): readonly AbiParameter[] {
  return abi.find((item) => item.type === 'constructor')?.inputs ?? []
}

/** Function values and Vyper's decimals travel as types that every coder knows. */
function codableParameter(parameter: AbiParameter): AbiParameter {
  const type = parameter.type
    .replace(/^function(?=$|\[)/, 'bytes24')
    .replace(/^(u?)fixed(\d+)x\d+/, (_, sign, bits) => `${sign}int${bits}`)
  const components = 'components' in parameter ? { components: parameter.components.map(codableParameter) } : {}
  return { ...parameter, ...components, type }
}

/** As JSON can hold it: integers as decimal text, addresses in lower case. */
function plain(value: unknown, parameter: AbiParameter): unknown {
  if (Array.isArray(value)) {
    const components = 'components' in parameter && parameter.type === 'tuple' ? parameter.components : null
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
