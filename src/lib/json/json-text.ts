// JSON of lists whose members were spelled before: what is sent again and again is put together instead of being spelled anew.

const spellings = new WeakMap<object, () => string>()

/** From here on `jsonOf` spells this very list so; it must be what JSON.stringify would give. */
export function spelledBy<L extends readonly unknown[]>(list: L, spell: () => string): L {
  spellings.set(list, spell)
  return list
}

/** Exactly what JSON.stringify gives. Such lists are found as the value itself, in an object, or in the only object of a list. */
export function jsonOf(value: object): string {
  const spell = spellings.get(value)
  if (spell) return spell()
  if (!Array.isArray(value)) return objectJson(value)
  const [only] = value
  return value.length === 1 && isObject(only) ? `[${jsonOf(only)}]` : JSON.stringify(value)
}

function objectJson(value: object): string {
  const members = Object.values(value)
  if (!members.some((member) => isObject(member) && spellings.has(member))) return JSON.stringify(value)
  const parts: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    parts.push(`${JSON.stringify(name)}:${isObject(member) ? jsonOf(member) : JSON.stringify(member)}`)
  }
  return `{${parts.join(',')}}`
}

/** An answer whose `data` goes out as this text; it is read from it for whoever looks at it. */
export function withJsonOfData<D extends object, R extends object>(json: string, rest: R): R & { readonly data: D } {
  let data: D | undefined
  const answer = {
    ...rest,
    get data(): D {
      data ??= JSON.parse(json) as D
      return data
    },
  }
  dataTexts.set(answer, json)
  return answer
}

const dataTexts = new WeakMap<object, string>()

/** Exactly what JSON.stringify gives of its `data`. */
export function jsonOfData(answer: { readonly data: object }): string {
  return dataTexts.get(answer) ?? jsonOf(answer.data)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
