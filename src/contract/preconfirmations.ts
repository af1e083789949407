// The endpoints of the preconfirmation ledger: sisters of E20 in the form of the explorer API.
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { chainPageOf, hexHash, quantity, stage, timeMs, words } from './fields.ts'
import { chainShortName, flashblockIndex, hash, height, paging } from './params.ts'

const verdict = words(
  '`kept` (position, status, gas and logs as preconfirmed), `changed`, `dropped`, `unannounced` (included without a preconfirmation), `comparing` (its block has just come); empty while open',
)

function latencies<const N extends string>(name: N, what: string) {
  return {
    [`${name}P50Ms`]: quantity(`Median ${what}, in milliseconds; empty without one`),
    [`${name}P95Ms`]: quantity(`95th percentile ${what}`),
    [`${name}P99Ms`]: quantity(`99th percentile ${what}`),
  } as Record<`${N}P${50 | 95 | 99}Ms`, z.ZodString>
}

const quality = z.object({
  window: words('`1h`, `24h` or `30d`, counted back from now'),
  blockCount: quantity('Canonical blocks'),
  brokenBlockCount: quantity('Blocks that differ from what was preconfirmed'),
  kept: quantity('Transactions included as preconfirmed'),
  changed: quantity('Transactions included elsewhere or with another outcome'),
  dropped: quantity('Transactions preconfirmed and not included'),
  unannounced: quantity('Transactions included without a preconfirmation'),
  keptPercent: words('Kept among those preconfirmed, in per cent with up to four decimals; empty without one'),
  ...latencies('seenToPreconfirmed', 'from our RPC to a flashblock'),
  ...latencies('preconfirmedToIncluded', 'from a flashblock to the canonical block'),
  ...latencies('seenToIncluded', 'from our RPC to the canonical block'),
  longestSilenceMs: quantity('Longest time without a flashblock, in milliseconds'),
  flashblocksReceived: quantity('Flashblocks received'),
  flashblocksMissing: quantity('Flashblocks that never came though later ones did'),
})

export const preconfirmationQuality = {
  id: 'E20a',
  method: 'GET',
  path: '/preconfirmation/quality',
  summary: 'How well preconfirmations are kept',
  params: z.object({ chainShortName }),
  data: z.array(quality).meta({ description: 'One element a window' }),
} as const satisfies Endpoint

const pastStage = z.object({
  stage,
  time: timeMs('When it was so'),
  height: quantity('Block'),
  flashblockIndex: quantity('Flashblock; empty where there is none'),
})

const transactionRecord = z.object({
  txId: hexHash('Transaction'),
  stage,
  verdict,
  changes: z.array(words('`moved`, `status`, `gas` or `logs`')).meta({ description: 'What the sealed block changed' }),
  seenTime: timeMs('When this service first received it'),
  seenBy: words('`rpc` (sent through this service), `feed` or `block`'),
  preconfirmedTime: timeMs('When the flashblock with it was received'),
  preconfirmedHeight: quantity('Block that it was preconfirmed for'),
  flashblockIndex: quantity('Flashblock that preconfirmed it'),
  preconfirmedPosition: quantity('Preconfirmed position in the block, from 0'),
  includedTime: timeMs('When its canonical block was received'),
  includedHeight: quantity('Canonical block'),
  includedBlockHash: hexHash('Canonical block'),
  includedPosition: quantity('Position in the canonical block, from 0'),
  safeTime: timeMs('When the safe head passed its block; empty where it did not, or nobody looked'),
  finalizedTime: timeMs('When the finalized head passed its block'),
  droppedTime: timeMs('When its block came without it'),
  past: z.array(pastStage).meta({ description: 'Stages that do not hold any more, oldest first' }),
})

export const preconfirmationTransaction = {
  id: 'E20b',
  method: 'GET',
  path: '/preconfirmation/transaction',
  summary: 'What became of a preconfirmed transaction',
  description: 'Stored for a day. Of an older transaction only the block is known; an unknown one gives an empty list.',
  params: z.object({ chainShortName, txId: hash }),
  data: z.array(transactionRecord).max(1).meta({ description: 'One element, or none' }),
} as const satisfies Endpoint

const flashblockFields = {
  height: quantity('Block'),
  flashblockIndex: quantity('Index in the block, from 0'),
  payloadId: hexHash('Payload'),
  attempt: quantity('Which payload of this height it belongs to, from 0'),
  hash: hexHash('Hash of the block so far'),
  receivedTime: timeMs('When it was received'),
  gasUsed: quantity('Gas used by the block so far'),
  txnCount: quantity('Transactions that it adds'),
}

export const flashblockList = {
  id: 'E20c',
  method: 'GET',
  path: '/preconfirmation/flashblock-list',
  summary: 'Flashblocks, newest first',
  description: 'Those of the last day. The latest 10,000 by page; `after` walks on past them.',
  params: z.object({ chainShortName, ...paging(100) }),
  data: chainPageOf({ flashblockList: z.array(z.object(flashblockFields)) }),
} as const satisfies Endpoint

export const flashblockDetail = {
  id: 'E20d',
  method: 'GET',
  path: '/preconfirmation/flashblock',
  summary: 'One flashblock, with its message',
  description: 'Where several payloads of the height have this index, the last one. Not there any more: an empty list.',
  params: z.object({ chainShortName, height, index: flashblockIndex }),
  data: z
    .array(z.object({ ...flashblockFields, message: words('The message as JSON text, in the shape of the feed') }))
    .max(1)
    .meta({ description: 'One element, or none' }),
} as const satisfies Endpoint

const difference = z.object({
  txId: hexHash('Transaction'),
  type: words('`dropped`, `moved`, `status`, `gas` or `logs`'),
  from: quantity('As preconfirmed: position, status, gas, or number of logs'),
  to: quantity('As it came; empty for a dropped one'),
})

const blockRecord = z.object({
  height: quantity('Height'),
  blockHash: hexHash('Canonical block; empty while there is none'),
  preconfirmedHash: hexHash('Hash of the last flashblock'),
  payloadId: hexHash('Payload that was announced last'),
  verdict: words('`kept`, `broken`, `unannounced` (came without a flashblock), `pending` (not canonical yet)'),
  txnCount: quantity('Transactions of the canonical block'),
  kept: quantity('Transactions included as preconfirmed'),
  changed: quantity('Transactions included elsewhere or with another outcome'),
  dropped: quantity('Transactions preconfirmed and not included'),
  unannounced: quantity('Transactions included without a preconfirmation'),
  includedTime: timeMs('When the canonical block was received'),
  safeTime: timeMs('When the safe head passed it'),
  finalizedTime: timeMs('When the finalized head passed it'),
  differences: z.array(difference).meta({ description: 'At most 1,000' }),
  flashblocks: z.array(z.object(flashblockFields)).meta({ description: 'In the order in which they belong' }),
})

export const preconfirmationBlock = {
  id: 'E20e',
  method: 'GET',
  path: '/preconfirmation/block',
  summary: 'A block compared with its flashblocks',
  description:
    'Stored for a day, and for good where the block differs. A height that nothing is known of: an empty list.',
  params: z.object({ chainShortName, height }),
  data: z.array(blockRecord).max(1).meta({ description: 'One element, or none' }),
} as const satisfies Endpoint
