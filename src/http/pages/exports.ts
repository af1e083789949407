// Lists as files for a reader without a key: the same streams as the API's, by links that a browser can follow.
import type { FastifyInstance } from 'fastify'
import type { EndpointName } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import type { Admission } from '../admission.ts'
import { contentTypeOf, firstStretch, type StreamFormat, streamOf } from '../streams.ts'
import { type VisitOptions, visitOf } from './visit.ts'

type Wishes = Readonly<Record<string, string>>
type Export = {
  readonly endpoint: EndpointName
  readonly params: (query: Wishes) => Record<string, string | undefined>
}

const lists: Readonly<Record<string, Export>> = {
  blocks: { endpoint: 'blockList', params: () => ({}) },
  transactions: { endpoint: 'transactionList', params: () => ({}) },
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
}

export const addExportRoutes = (
  app: FastifyInstance,
  options: VisitOptions & { admission: Pick<Admission, 'limitAddress'> },
): void => {
  app.get('/export/:file', {
    config: { label: 'export' },
    onRequest: options.admission.limitAddress,
    handler: async (request, reply) => {
      const { file } = request.params as { file: string }
      const [, name = '', format = ''] = /^([a-z-]+)\.(csv|ndjson)$/.exec(file) ?? []
      const list = lists[name]
      if (!list) throw new Failure('unknownPath', `There is no list ${file}. ${Object.keys(lists).join(', ')} exist.`)
      const { askOn, query } = visitOf(options, request)
      const ask = askOn(list.endpoint, list.params(query))
      const first = await firstStretch(ask)
      return reply
        .header('content-type', contentTypeOf(format as StreamFormat))
        .header('content-disposition', `attachment; filename="${options.chain.shortName}-${file}"`)
        .send(streamOf(format as StreamFormat, ask, first))
    },
  })
}
