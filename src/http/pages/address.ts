import type { AddressContent, AddressTab } from '../../../web/pages/address.tsx'
import { checksummed } from '../../explorer/pages/page-answers.ts'
import { accountHeads } from './account-heads.ts'
import { contractContent } from './contracts.ts'
import { oneOf, type PageLoader, TOKEN_KINDS, type Visit } from './visit.ts'

const TABS = ['txs', 'transfers', 'internal', 'tokens', 'contract'] as const satisfies AddressTab[]
const PAGE_ROWS = '25'

export const addressPage: PageLoader = async (visit) => {
  const address = visit.params.address!
  const [information] = (await visit.ask('addressInformation', { address })).data
  return {
    page: 'address',
    data: {
      information,
      checksummed: checksummed(information.address),
      heads: await accountHeads(visit.node, information.address),
      content: await contentOf(visit, information.address),
    },
  }
}

async function contentOf(visit: Visit, address: string): Promise<AddressContent> {
  const { ask, query } = visit
  const tab = oneOf(TABS, query.tab)
  const kind = oneOf(TOKEN_KINDS, query.kind)
  const paging = { page: query.page, limit: PAGE_ROWS }
  switch (tab) {
    case 'txs':
      return { tab, list: (await ask('addressTransactionList', { address, ...paging })).data[0] }
    case 'transfers': {
      const { data } = await ask('tokenTransactionList', { address, protocolType: kind, ...paging })
      return { tab, kind, list: data[0] }
    }
    case 'internal':
      return { tab, list: (await ask('internalTransactionList', { address, ...paging })).data[0] }
    case 'tokens': {
      const { data } = await ask('addressTokenBalance', { address, protocolType: kind, ...paging })
      return { tab, kind, list: data[0] }
    }
    case 'contract':
      return contractContent(visit, address)
  }
}
