import { expect } from 'vitest'

/**
 * The tape says that everybody has nothing at any time, which contradicts its blocks. Such balances are put right in the background, at
 * heights that depend on the moment, so they are not compared where the node is a tape.
 */
export const BALANCES_OF_TAPE = ['native_balances', 'native_history']

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
