import { createContext } from 'preact'

export type Names = ReadonlyMap<string, string>

/** Names of verified contracts among the addresses of a page. */
export const NamesOfPage = createContext<Names>(new Map())

export type Methods = {
  /** By address and selector, one behind the other: what the contract's own ABI says. */
  readonly own: Names
  /** By selector alone: what others mean by it. */
  readonly guessed: Names
}

export const MethodsOfPage = createContext<Methods>({ own: new Map(), guessed: new Map() })
