// The search: a number, hash or address redirects to its page; a word lists the tokens and contracts whose names begin with it.
import type { PageLoader } from './visit.ts'

const LONGEST_QUERY = 200

export const searchPage: PageLoader = async ({ query, answers }) => {
  const text = (query.q ?? '').trim().slice(0, LONGEST_QUERY)
  if (text === '') return { page: 'search', data: { query: text, lookedFor: [], tokens: [], contracts: [] } }
  const hex = text.toLowerCase().replace(/^(0x)?/, '0x')
  const digits = text.replace(/^#|[,_\s]/g, '')

  if (/^\d{1,10}$/.test(digits)) return { redirect: `/block/${Number(digits)}` }
  if (/^0x[0-9a-f]{40}$/.test(hex)) return { redirect: `/address/${hex}` }
  if (/^0x[0-9a-f]{64}$/.test(hex)) {
    if (await answers.isTransaction(hex)) return { redirect: `/tx/${hex}` }
    const height = await answers.heightOfBlock(hex)
    if (height !== undefined) return { redirect: `/block/${height}` }
    return {
      page: 'search',
      data: {
        query: text,
        lookedFor: ['a transaction with this hash', 'a block with this hash'],
        tokens: [],
        contracts: [],
      },
    }
  }
  const [tokens, contracts] = await Promise.all([answers.tokensNamed(text), answers.contractsNamed(text)])
  const whole = tokens.filter(({ name, symbol }) => [name, symbol].some((each) => isSame(each, text)))
  const [only] = tokens.length === 1 && contracts.length === 0 ? tokens : whole.length === 1 ? whole : []
  if (only) return { redirect: `/token/${only.address}` }
  if (tokens.length === 0 && contracts.length === 1)
    return { redirect: `/address/${contracts[0]!.address}?tab=contract` }
  return {
    page: 'search',
    data: {
      query: text,
      lookedFor: ['a token whose name or symbol begins with this', 'a verified contract whose name begins with this'],
      tokens,
      contracts,
    },
  }
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
