// What selectors mean in well-known contracts; `well-known.txt` is made by scripts/collect-signatures.ts. Read when first asked.
import { readFileSync } from 'node:fs'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { SelectorKind } from '../../store/jobs/selectors.ts'

let meanings: Map<string, string[]> | undefined

/** Human-readable items. */
export function wellKnownMeanings(kind: SelectorKind, selector: Hex): readonly string[] {
  meanings ??= readMeanings()
  return meanings.get(`${kind} ${selector}`) ?? []
}

function readMeanings(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of readFileSync(new URL('./well-known.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    const at = line.indexOf(' ')
    const text = line.slice(at + 1)
    const key = `${text.slice(0, text.indexOf(' '))} ${line.slice(0, at)}`
    found.set(key, [...(found.get(key) ?? []), text])
  }
  return found
}
