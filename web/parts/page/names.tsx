// Names that the server looked up for a page: of verified contracts and of methods. Parts deep inside a page read them by context.
import { type ComponentChildren, createContext } from 'preact'
import type { Methods, Names, PageShell } from './page-shell.ts'

const NONE: Names = new Map()

/** Names of verified contracts, by address. */
export const ContractNames = createContext<Names>(NONE)
export const MethodNames = createContext<Methods>({ own: NONE, guessed: NONE })

export function NamesProvider({ shell, children }: { shell: PageShell; children: ComponentChildren }) {
  return (
    <ContractNames.Provider value={shell.names ?? NONE}>
      <MethodNames.Provider value={shell.methods ?? { own: NONE, guessed: NONE }}>{children}</MethodNames.Provider>
    </ContractNames.Provider>
  )
}
