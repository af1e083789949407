import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { hexHash, methodId, quantity, timeMs, words } from './fields.ts'
import { address, after, chainShortName, hash, height, numberOrder, ordered, topic } from './params.ts'

const eventLog = z.object({
  height: quantity('Block height'),
  address: hexHash('Contract that emitted the log'),
  topics: z.array(z.string()).meta({ description: 'Topics' }),
  data: words('Parameters that are not indexed, as hex'),
  blockHash: hexHash('Block'),
  methodId,
  transactionTime: timeMs('Time of the block'),
  logIndex: quantity('Position of the log in the block'),
  txId: hexHash('Transaction'),
})

const description = 'The newest 1,000; `truncated` says when there were more, `nextCursor` walks on.'
const walk = { after: after.optional() }

export const logsByAddress = {
  id: 'E17',
  method: 'GET',
  path: '/log/by-address',
  summary: 'Logs by address',
  description,
  params: z.object({ chainShortName, address, ...walk }),
  data: z.array(eventLog),
} as const satisfies Endpoint

export const logsByTransaction = {
  id: 'E18',
  method: 'GET',
  path: '/log/by-transaction',
  summary: 'Logs by transaction hash',
  description,
  params: z.object({ chainShortName, txId: hash, ...walk }),
  data: z.array(eventLog),
} as const satisfies Endpoint

export const logsByBlockAndAddress = {
  id: 'E19',
  method: 'GET',
  path: '/log/by-block-and-address',
  summary: 'Logs by block range and address',
  description,
  params: z
    .object({ chainShortName, startBlockHeight: height, endBlockHeight: height, address, ...walk })
    .superRefine(ordered('startBlockHeight', 'endBlockHeight', numberOrder)),
  data: z.array(eventLog),
} as const satisfies Endpoint

export const logsByAddressAndTopic = {
  id: 'E17a',
  method: 'GET',
  path: '/log/by-address-and-topic',
  summary: 'Logs by address and topics',
  description,
  params: z
    .object({
      chainShortName,
      address,
      topic0: topic,
      topic1: topic.optional(),
      topic2: topic.optional(),
      topic3: topic.optional(),
      startBlockHeight: height.optional(),
      endBlockHeight: height.optional(),
      ...walk,
    })
    .superRefine(ordered('startBlockHeight', 'endBlockHeight', numberOrder)),
  data: z.array(eventLog),
} as const satisfies Endpoint
