// Address poisoning: an attacker makes an address that begins and ends like one of yours and waits for you to copy it. Two such addresses on a
// page are marked, and an address that resembles a labelled one.
import { labels } from './labels.ts'

const HEAD = 4
const TAIL = 4

/** The digits that people compare. */
export function likenessOf(address: string): string {
  return address.slice(2, 2 + HEAD) + address.slice(-TAIL)
}

/** Maps each suspicious address to the address it resembles. A labelled address is never suspicious. */
export function lookalikesAmong(shown: readonly string[], labelled: readonly string[]): Map<string, string> {
  const groups = new Map<string, Set<string>>()
  for (const address of [...labelled, ...shown]) {
    const likeness = likenessOf(address)
    groups.set(likeness, (groups.get(likeness) ?? new Set()).add(address))
  }
  const trusted = new Set(labelled)
  const found = new Map<string, string>()
  for (const group of groups.values()) {
    if (group.size < 2) continue
    const all = [...group]
    for (const address of all) if (!trusted.has(address)) found.set(address, all.find((each) => each !== address)!)
  }
  return found
}

export function warnOfLookalikes(): void {
  const elements = [...document.querySelectorAll<HTMLElement>('.hex[data-same]')]
  const shown = new Set(elements.map(({ dataset }) => dataset.same!))
  const found = lookalikesAmong([...shown], Object.keys(labels()))
  for (const element of elements) {
    const other = found.get(element.dataset.same!)
    const isMarked = element.nextElementSibling?.classList.contains('lookalike') ?? false
    if (other === undefined || isMarked) continue
    const mark = document.createElement('span')
    mark.className = 'lookalike'
    mark.textContent = 'look-alike'
    mark.title = `This is ${element.dataset.same}. It resembles ${other}, but it is a different address: compare every digit.`
    element.after(mark)
  }
}
