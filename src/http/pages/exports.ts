// Lists as files to download, without an API key: the same streams as those of the API, and lists that only pages have.
import type { FastifyInstance } from 'fastify'
import type { EndpointName } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import type { Admission } from '../admission/admission.ts'
import { type Ask, type StreamFormat, sendDownload } from '../api/streams.ts'
import { contractFilter, queryOf } from './contracts.ts'
import { type Visit, type VisitOptions, visitOf } from './visit.ts'

type QueryParameters = Readonly<Record<string, string>>
type Export = {
  readonly endpoint: EndpointName
  readonly params: (query: QueryParameters) => Record<string, string | undefined>
}

const lists: Readonly<Record<string, Export>> = {
  blocks: { endpoint: 'blockList', params: () => ({}) },
  transactions: { endpoint: 'transactionList', params: () => ({}) },
  unconfirmed: { endpoint: 'unconfirmedTransactionList', params: () => ({}) },
  flashblocks: { endpoint: 'flashblockList', params: () => ({}) },
  large: { endpoint: 'largeTransactionList', params: ({ above }) => ({ type: above }) },
  accounts: { endpoint: 'nativeTokenPositionList', params: () => ({}) },
  tokens: { endpoint: 'tokenList', params: ({ kind }) => ({ protocolType: kind }) },
  'block-txs': { endpoint: 'blockTransactionList', params: ({ height }) => ({ height }) },
  'block-internal': {
    endpoint: 'blockTransactionList',
    params: ({ height }) => ({ height, protocolType: 'internal' }),
  },
  'block-transfers': {
    endpoint: 'blockTransactionList',
    params: ({ height, kind = 'token_20' }) => ({ height, protocolType: kind }),
  },
  'address-txs': { endpoint: 'addressTransactionList', params: ({ address }) => ({ address }) },
  'address-transfers': {
    endpoint: 'tokenTransactionList',
    params: ({ address, kind }) => ({ address, protocolType: kind }),
  },
  'address-internal': { endpoint: 'internalTransactionList', params: ({ address }) => ({ address }) },
  'address-tokens': {
    endpoint: 'addressTokenBalance',
    params: ({ address, kind }) => ({ address, protocolType: kind }),
  },
  'token-transfers': { endpoint: 'tokenTransferList', params: ({ token }) => ({ tokenContractAddress: token }) },
  'token-holders': { endpoint: 'tokenPositionList', params: ({ token }) => ({ tokenContractAddress: token }) },
  'tx-transfers': { endpoint: 'tokenTransferMulti', params: ({ hash }) => ({ txId: hash }) },
  'tx-internal': { endpoint: 'internalTransactionDetail', params: ({ hash }) => ({ txId: hash }) },
  'tx-logs': { endpoint: 'logsByTransaction', params: ({ hash }) => ({ txId: hash }) },
}

type Read<K> = (page: { limit: number; beyond: K | undefined }) => Promise<{ rows: object[]; beyond: K | undefined }>

/** Reads a list that only pages have, from its beginning to its end. */
function walked<K>(read: Read<K>): Ask {
  let beyond: K | undefined
  return async ({ limit }) => {
    const stretch = await read({ limit, beyond })
    beyond = stretch.beyond
    return { data: stretch.rows, ...(stretch.rows.length === limit && { nextCursor: MORE }) } as Awaited<
      ReturnType<Ask>
    >
  }
}

const MORE = 'more'

type Verified = Awaited<ReturnType<PageAnswers['contracts']['list']>>[number]
type InventoryKey = NonNullable<Parameters<PageAnswers['itemsBeyond']>[1]['beyond']>

const pageLists: Readonly<Record<string, (visit: Visit) => Ask>> = {
  contracts: ({ answers, query }) => {
    const wanted = queryOf(contractFilter(query))
    return walked<Verified>(async (page) => {
      const rows = await answers.contracts.list(wanted, page)
      return { rows, beyond: rows.at(-1) }
    })
  },
  'token-inventory': ({ answers, query }) => {
    const token = (query.token ?? '').toLowerCase()
    if (!/^0x[0-9a-f]{40}$/.test(token))
      throw new Failure('parameterWrong', 'Parameter token error: must be an address.')
    return walked<InventoryKey>(async (page) => {
      const { items, beyond } = await answers.itemsBeyond(token, page)
      return { rows: items, beyond }
    })
  },
}

function askFor(name: string, visit: Visit): Ask | undefined {
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined
  if (list) return visit.askOn(list.endpoint, list.params(visit.query))
  return Object.hasOwn(pageLists, name) ? pageLists[name]!(visit) : undefined
}

export function addExportRoutes(
  app: FastifyInstance,
  options: VisitOptions & { admission: Pick<Admission, 'limitAddress'> },
): void {
  app.get('/export/:file', {
    config: { label: 'export' },
    // A HEAD request would read the whole list.
    exposeHeadRoute: false,
    onRequest: options.admission.limitAddress,
    handler: async (request, reply) => {
      const { file } = request.params as { file: string }
      const [, name = '', format = ''] = /^([a-z-]+)\.(csv|ndjson)$/.exec(file) ?? []
      const ask = askFor(name, visitOf(options, request))
      if (!ask) {
        const known = Object.keys({ ...lists, ...pageLists }).join(', ')
        throw new Failure('unknownPath', `There is no list ${file}. ${known} exist.`)
      }
      const fileName = `${options.chain.shortName}-${file}`
      return sendDownload(reply, { format: format as StreamFormat, ask, fileName })
    },
  })
}
