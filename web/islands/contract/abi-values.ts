// Converts what the reader typed into ABI values, and ABI values into HTML.
import type { AbiParameter } from 'viem'
import { CallFailure } from './json-rpc.ts'

export function argumentsOf(inputs: readonly AbiParameter[], read: (i: number) => string): unknown[] {
  return inputs.map((input, i) => {
    const text = read(i).trim()
    const what = input.name || `argument ${i + 1}`
    if (input.type.endsWith(']') || input.type.startsWith('tuple')) return typedValue(input, jsonFrom(text, what), what)
    return typedValue(input, text, what)
  })
}

function jsonFrom(text: string, what: string): unknown {
  try {
    // JSON would round large numbers, so they are quoted first.
    return JSON.parse(text.replace(/(?<=[[,:\s]|^)-?\d{16,}(?=[\],}\s]|$)/g, '"$&"'))
  } catch {
    throw new CallFailure(`${what}: write it as JSON, such as ["1", "2"].`)
  }
}

function typedValue(parameter: AbiParameter, given: unknown, what: string): unknown {
  const { type } = parameter
  const list = /^(.*)\[\d*\]$/.exec(type)
  if (list) {
    if (!Array.isArray(given)) throw new CallFailure(`${what}: must be a list.`)
    const each = { ...parameter, type: list[1]! } as AbiParameter
    return given.map((item, i) => typedValue(each, item, `${what}[${i}]`))
  }
  if (type === 'tuple') return tupleOf(parameter, given, what)
  if (type === 'bool') {
    if (given === true || given === 'true') return true
    if (given === false || given === 'false') return false
    throw new CallFailure(`${what}: must be true or false.`)
  }
  const text = String(given)
  if (/^u?int/.test(type)) {
    if (!/^(-?\d+|0x[0-9a-fA-F]+)$/.test(text)) throw new CallFailure(`${what}: must be a whole number.`)
    return BigInt(text)
  }
  if (type === 'address' && !/^0x[0-9a-fA-F]{40}$/.test(text)) throw new CallFailure(`${what}: must be an address.`)
  if (type.startsWith('bytes') && !/^0x([0-9a-fA-F]{2})*$/.test(text)) throw new CallFailure(`${what}: must be hex.`)
  // A wrong EIP-55 checksum is accepted: the digits are those of an address.
  return type === 'address' ? text.toLowerCase() : text
}

function tupleOf(parameter: AbiParameter, given: unknown, what: string): unknown {
  const { components } = parameter as { components: readonly AbiParameter[] }
  if (typeof given !== 'object' || given === null) throw new CallFailure(`${what}: must be a list or an object.`)
  const values = components.map((component, i) => {
    const value = Array.isArray(given) ? given[i] : (given as Record<string, unknown>)[component.name ?? '']
    if (value === undefined) throw new CallFailure(`${what}: has no ${component.name || i}.`)
    return typedValue(component, value, `${what}.${component.name || i}`)
  })
  if (components.some(({ name }) => !name)) return values
  return Object.fromEntries(components.map(({ name }, i) => [name, values[i]]))
}

/** Addresses become links; lists and structs are shown as JSON. */
export function shownValue(value: unknown): Node {
  const text = typeof value === 'object' ? JSON.stringify(value, withoutBigint, 1) : String(value)
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) {
    const link = document.createElement('a')
    link.href = `/address/${text.toLowerCase()}`
    link.className = 'hex'
    link.textContent = text
    return link
  }
  const element = document.createElement('span')
  element.className = 'hex'
  element.textContent = text
  return element
}

function withoutBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
