// Finds the addresses and ABI selectors in the data of a page, to look up all their names in one query.
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'

const MOST_ADDRESSES = 500
const MOST_SELECTORS = 100

export async function namesFor(
  answers: Pick<PageAnswers, 'namesOf' | 'decoded'>,
  shown: unknown,
): Promise<Required<Pick<PageShell, 'names' | 'methods'>>> {
  const { addresses, selectors, called } = mentionsIn(shown)
  const names = await answers.namesOf(addresses)
  if (selectors.length === 0) return { names, methods: { own: new Map(), guessed: new Map() } }
  const { methods } = answers.decoded
  const [own, guessed] = await Promise.all([methods.own(called), methods.guessed(selectors)])
  return { names, methods: { own, guessed } }
}

/** `called` are the addresses whose methods are shown. */
function mentionsIn(shown: unknown): { addresses: string[]; selectors: string[]; called: string[] } {
  const addresses = new Set<string>()
  const selectors = new Set<string>()
  const called = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length === 42 && addresses.size < MOST_ADDRESSES && /^0x[0-9a-f]{40}$/.test(value)) addresses.add(value)
      if (value.length === 10 && selectors.size < MOST_SELECTORS && /^0x[0-9a-f]{8}$/.test(value)) selectors.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) walk(each)
      const { methodId, to } = value as { methodId?: unknown; to?: unknown }
      if (typeof to === 'string' && addresses.has(to) && selectors.has(String(methodId))) called.add(to)
    }
  }
  walk(shown)
  return { addresses: [...addresses], selectors: [...selectors], called: [...called] }
}
