// Everything that is answered about a pending block, stored until the block is sealed, and compared with what the node answers then.
import { isDeepStrictEqual } from 'node:util'

export type EqualityReport = {
  /** Compared. */
  readonly blocks: number
  /** Not received whole: the feed was connected again in the middle. */
  readonly missed: number
  readonly transactions: number
  readonly answers: number
  readonly differences: readonly string[]
}

type Question = readonly [method: string, ...params: readonly unknown[]]
type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}
type BlockView = {
  readonly hash: string
  readonly number: string
  readonly transactions: readonly { from: string; to: string | null; input: string; value: string; type: string }[]
}

/** `url` is ours; the devnet moves by hand, so that every block is seen whole before it is sealed, however busy the machine. */
export async function compareWithSealed(
  { url, nodeUrl }: { readonly url: string; readonly nodeUrl: string },
  {
    blocks,
    flashblocks,
    flashblockMs,
  }: { readonly blocks: number; readonly flashblocks: number; readonly flashblockMs: number },
): Promise<EqualityReport> {
  const differences: string[] = []
  let answers = 0
  let transactions = 0
  let missed = 0
  await askOne(nodeUrl, 'devnet_seal')
  await askOne(nodeUrl, 'devnet_step')
  for (let block = 0; block < blocks; block++) {
    for (let index = 1; index < flashblocks; index++) {
      await sleep(flashblockMs)
      await askOne(nodeUrl, 'devnet_step')
    }
    const tip = await tipOnceReceived(url, nodeUrl)
    const questions = tip === null ? [] : questionsAbout(tip)
    const before = await askMany(url, questions)
    // The first flashblock of a block seals the block before as it is.
    await askOne(nodeUrl, 'devnet_step')
    if (tip === null) {
      missed++
      continue
    }
    const after = await askMany(nodeUrl, questions)
    transactions += tip.transactions.length
    answers += after.length
    for (const [at, question] of questions.entries()) {
      if (isSame(before[at]!, after[at]!)) continue
      const shown = [question, before[at], after[at]].map((value) => JSON.stringify(value)?.slice(0, 300))
      differences.push(`block ${tip.number}: ${shown.join('\n  ')}`)
    }
  }
  return { blocks: blocks - missed, missed, transactions, answers, differences }
}

async function tipOnceReceived(url: string, nodeUrl: string): Promise<BlockView | null> {
  const { hash } = (await askOne(nodeUrl, 'eth_getBlockByNumber', 'pending', false)).result as BlockView
  const untilMs = Date.now() + LONGEST_WAIT_MS
  while (Date.now() < untilMs) {
    const tip = (await askOne(url, 'eth_getBlockByNumber', 'pending', true)).result as BlockView
    if (tip.hash === hash) return tip
    await sleep(5)
  }
  return null
}

const LONGEST_WAIT_MS = 10_000

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const MAX_ADDRESSES = 40
const MAX_CALLS = 20
const MAX_BATCH = 500

/** All at the block's own hash: of this flashblock, and later of the sealed block. */
function questionsAbout({ hash, transactions }: BlockView): readonly Question[] {
  const at = { blockHash: hash }
  const addresses = [...new Set(transactions.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))]
  return [
    ['eth_getBlockByHash', hash, true],
    ['eth_getBlockByHash', hash, false],
    ['eth_getBlockReceipts', hash],
    ['eth_getBlockTransactionCountByHash', hash],
    ['eth_getLogs', { blockHash: hash }],
    ...transactions.map(
      (_, index): Question => ['eth_getTransactionByBlockHashAndIndex', hash, `0x${index.toString(16)}`],
    ),
    ...addresses.slice(-MAX_ADDRESSES).flatMap((address): Question[] => [
      ['eth_getBalance', address, at],
      ['eth_getTransactionCount', address, at],
      ['eth_getCode', address, at],
      ['eth_getStorageAt', address, '0x0', at],
      ['eth_getStorageAt', address, '0x2', at],
    ]),
    ...transactions
      .filter(({ to, type }) => to !== null && type !== '0x7e')
      .slice(-MAX_CALLS)
      .map(({ from, to, input, value }): Question => ['eth_call', { from, to, data: input, value }, at]),
  ]
}

/** Of refusals the code and the data count. */
function isSame(one: Answer, other: Answer): boolean {
  return one.error === undefined
    ? isDeepStrictEqual(one.result, other.result)
    : one.error.code === other.error?.code && one.error.data === other.error?.data
}

/** In batches that the service takes. */
async function askMany(url: string, questions: readonly Question[]): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < questions.length; at += MAX_BATCH) {
    const batch = questions.slice(at, at + MAX_BATCH)
    const body = batch.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    answers.push(...((await response.json()) as Answer[]))
  }
  return answers
}

async function askOne(url: string, ...question: Question): Promise<Answer> {
  return (await askMany(url, [question]))[0]!
}
