import { createContext } from 'preact'

/** Names of verified contracts among the addresses of a page. */
export type Names = ReadonlyMap<string, string>

export const NamesOfPage = createContext<Names>(new Map())
