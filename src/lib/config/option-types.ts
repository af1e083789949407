// The types that an option of the configuration can have.
import { isIP } from 'node:net'
import type { OptionType } from './config.ts'

export const text: OptionType<string> = { name: 'text', parse: (value) => ({ value }) }

export const flag: OptionType<boolean> = {
  name: 'true or false',
  parse: (value) => {
    if (['true', '1', 'on', 'yes', ''].includes(value.toLowerCase())) return { value: true }
    if (['false', '0', 'off', 'no'].includes(value.toLowerCase())) return { value: false }
    return { wrong: 'must be true or false' }
  },
}

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): OptionType<number> {
  return {
    name: max === Number.MAX_SAFE_INTEGER ? `integer from ${min}` : `integer from ${min} to ${max}`,
    parse: (value) => {
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? { value: number } : { wrong: `must be an ${integer(min, max).name}` }
    },
  }
}

export function decimal(min: number): OptionType<number> {
  return {
    name: `number from ${min}`,
    parse: (value) => {
      const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
      return number >= min ? { value: number } : { wrong: `must be a number from ${min}` }
    },
  }
}

export function choice<const T extends string>(...values: T[]): OptionType<T> {
  return {
    name: values.join(' | '),
    parse: (value) => {
      const found = values.find((each) => each.toLowerCase() === value.toLowerCase())
      return found === undefined ? { wrong: `must be one of ${values.join(', ')}` } : { value: found }
    },
  }
}

/** Comma-separated, without blanks; `each` checks an item. */
export function list<T>(each: OptionType<T>): OptionType<readonly T[]> {
  return {
    name: `${each.name}, comma-separated`,
    parse: (value) => {
      const items: T[] = []
      for (const item of value.split(',').map((part) => part.trim())) {
        if (item === '') continue
        const parsed = each.parse(item)
        if ('wrong' in parsed) return { wrong: `has ${JSON.stringify(item)}, which ${parsed.wrong}` }
        items.push(parsed.value)
      }
      return { value: items }
    },
  }
}

export function word(pattern: RegExp, rule: string): OptionType<string> {
  return {
    name: 'text',
    parse: (value) => (pattern.test(value) ? { value } : { wrong: rule }),
  }
}

/** An IP address, or a network as `10.0.0.0/8`. */
export const network: OptionType<string> = {
  name: 'IP address or network',
  parse: (value) => {
    const [address = '', bits = '0', ...more] = value.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
    const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= most && more.length === 0
    return fits ? { value } : { wrong: 'must be an IP address or a network such as 10.0.0.0/8' }
  },
}

/** An address with one of the given protocols, such as `http` and `https`. */
export function url(...protocols: string[]): OptionType<string> {
  return {
    name: `${protocols.join(':// or ')}:// address`,
    parse: (value) => {
      const parsed = URL.canParse(value) ? new URL(value) : undefined
      const fits = parsed !== undefined && protocols.includes(parsed.protocol.slice(0, -1))
      return fits ? { value } : { wrong: `must be an address that starts with ${protocols.join(':// or ')}://` }
    },
  }
}
