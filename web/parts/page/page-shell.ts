// What every page needs besides its data: the chain, the reader's preferences, and the paths of the built files.
import type { Clock } from '../text/clock.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export type Names = ReadonlyMap<string, string>

export type Methods = {
  /** By address followed by selector: the names in the contract's own ABI. */
  readonly own: Names
  /** By selector alone: the names that other contracts use for it. */
  readonly guessed: Names
}

export type PageShell = {
  readonly chain: { readonly shortName: string; readonly fullName: string; readonly symbol: string }
  /** Path and query of the request. */
  readonly path: string
  readonly theme: Theme
  readonly clock: Clock
  readonly nowMs: number
  /** Paths of the built files. */
  readonly assets: { readonly style: string; readonly script: string }
  readonly version: string
  /** What readers of every page should know, such as a node that does not answer. */
  readonly notices?: readonly string[]
  /** What readers should know about preconfirmations, such as that nothing proves them. */
  readonly preconfirmationNotes?: readonly string[]
  /** Names of the verified contracts that the page mentions, by address. */
  readonly names?: Names
  readonly methods?: Methods
}

export type PageProps<T> = { readonly shell: PageShell; readonly data: T }
