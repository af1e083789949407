import type { ComponentChildren } from 'preact'
import { MethodsOfPage, NamesOfPage } from './names.ts'
import type { PageShell } from './page-shell.ts'

const NONE = new Map<string, string>()

/** What is inside knows the names that the shell has. */
export function Named({ shell, children }: { shell: PageShell; children: ComponentChildren }) {
  return (
    <NamesOfPage.Provider value={shell.names ?? NONE}>
      <MethodsOfPage.Provider value={shell.methods ?? { own: NONE, guessed: NONE }}>{children}</MethodsOfPage.Provider>
    </NamesOfPage.Provider>
  )
}
