import { expect } from 'vitest'

/** Table by table, so that a difference says where it is. */
export function expectSameDump(
  dump: Record<string, string[]>,
  expected: Record<string, string[]>,
  except: readonly string[] = [],
): void {
  for (const table of Object.keys(expected)) {
    if (!except.includes(table)) expect(dump[table], table).toEqual(expected[table])
  }
}
