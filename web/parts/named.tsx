import type { ComponentChildren } from 'preact'
import { MethodsOfPage, NamesOfPage } from './names.ts'
import type { Frame } from './page-shell.ts'

const NONE = new Map<string, string>()

/** What is inside knows the names that the frame has. */
export function Named({ frame, children }: { frame: Frame; children: ComponentChildren }) {
  return (
    <NamesOfPage.Provider value={frame.names ?? NONE}>
      <MethodsOfPage.Provider value={frame.methods ?? { own: NONE, guessed: NONE }}>{children}</MethodsOfPage.Provider>
    </NamesOfPage.Provider>
  )
}
