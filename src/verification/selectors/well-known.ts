// The ABI items of well-known contracts by selector. `well-known.txt` is written by scripts/collect-signatures.ts; it is read once, when
// this file is loaded.
import { readFileSync } from 'node:fs'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { SelectorKind } from '../../store/jobs/selectors.ts'

const meanings = readMeanings()

/** Human-readable ABI items, such as `function transfer(address to, uint256 amount)`. */
export function wellKnownMeanings(kind: SelectorKind, selector: Hex): readonly string[] {
  return meanings.get(`${kind} ${selector}`) ?? []
}

function readMeanings(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const lines = readFileSync(new URL('./well-known.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  for (const line of lines) {
    const space = line.indexOf(' ')
    const text = line.slice(space + 1)
    const key = `${text.slice(0, text.indexOf(' '))} ${line.slice(0, space)}`
    const texts = found.get(key)
    if (texts) texts.push(text)
    else found.set(key, [text])
  }
  return found
}
