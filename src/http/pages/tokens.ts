import type { TokenContent, TokenTab } from '../../../web/pages/token.tsx'
import { Failure } from '../../contract/failure.ts'
import { MOST_PAGES, oneOf, type PageLoader, pageFrom, TOKEN_KINDS, type Visit } from './visit.ts'

const TABS = ['transfers', 'holders', 'inventory'] as const satisfies TokenTab[]
const PAGE_ROWS = 25

export const tokensPage: PageLoader = async ({ ask, query }) => {
  const kind = oneOf(TOKEN_KINDS, query.kind)
  const { data } = await ask('tokenList', { protocolType: kind, page: query.page, limit: String(PAGE_ROWS) })
  return { page: 'tokens', data: { kind, list: data[0] } }
}

export const tokenPage: PageLoader = async (visit) => {
  const { ask, params } = visit
  const address = params.address!.toLowerCase()
  // The API lists tokens by kind, and the kind of this one is not known yet.
  const answers = await Promise.all(
    TOKEN_KINDS.map((protocolType) => ask('tokenList', { tokenContractAddress: address, protocolType })),
  )
  const token = answers.flatMap(({ data }) => data[0].tokenList)[0]
  if (!token) throw new Failure('unknownToken', `Token does not exist: ${address}.`)
  return { page: 'token', data: { token, content: await contentOf(visit, address) } }
}

async function contentOf({ ask, answers, query }: Visit, address: string): Promise<TokenContent> {
  const tab = oneOf(TABS, query.tab)
  const paging = { tokenContractAddress: address, page: query.page, limit: String(PAGE_ROWS) }
  switch (tab) {
    case 'transfers':
      return { tab, list: (await ask('tokenTransferList', paging)).data[0] }
    case 'holders':
      return { tab, list: (await ask('tokenPositionList', paging)).data[0] }
    case 'inventory': {
      const page = pageFrom(query.page)
      const found = await answers.itemsOf(address, { limit: PAGE_ROWS, offset: (page - 1) * PAGE_ROWS })
      const hasMore = found.length > PAGE_ROWS && page < MOST_PAGES
      return {
        tab,
        items: found.slice(0, PAGE_ROWS),
        position: { page, limit: PAGE_ROWS, totalPage: hasMore ? page + 1 : page },
      }
    }
  }
}
