import { isDeepStrictEqual } from 'node:util'

/** Every field in which two JSON values differ: `transactions.3.isSystemTx: undefined, theirs false`. */
export function differingFields(ours: unknown, theirs: unknown, path = ''): string[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (!isObject(ours) || !isObject(theirs))
    return [`${path}: ${JSON.stringify(ours)}, theirs ${JSON.stringify(theirs)}`]
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...names].flatMap((name) => differingFields(ours[name], theirs[name], path === '' ? name : `${path}.${name}`))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
