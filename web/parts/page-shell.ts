// What surrounds every page: the chain, the reader's wishes, and where the built files are.
import type { Methods, Names } from './names.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** How times are written: how long ago, on the reader's clock, in UTC, or as Unix seconds. */
export const clocks = ['age', 'local', 'utc', 'unix'] as const
export type Clock = (typeof clocks)[number]

export type PageShell = {
  readonly chain: { readonly shortName: string; readonly fullName: string; readonly symbol: string }
  /** Path and query of the page. */
  readonly path: string
  readonly theme: Theme
  readonly clock: Clock
  readonly nowMs: number
  /** Addresses of the built files. */
  readonly assets: { readonly style: string; readonly script: string }
  readonly version: string
  /** Of verified contracts that the page shows. */
  readonly names?: Names
  readonly methods?: Methods
}

export type PageProps<T> = { readonly shell: PageShell; readonly data: T }
