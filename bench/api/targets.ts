// The requests of the benchmark. Each list is longer than the cache of responses, so that going through it again and again never finds a
// cached response: computing the answer is measured. Rows may be cached, as in production.
import { addressOf, tokenOf } from './chain.ts'
import { bodyOf } from './load.ts'
import type { Served } from './process.ts'

const DISTINCT = 1_500
/** Pages of 0.6 MB: together larger than the cache of responses. */
const DISTINCT_LOGS = 150
/** Too many for their rows to be cached, and far apart. */
const MANY = 6_000
const APART = 13

export async function targetsOf(server: Served): Promise<Record<string, readonly string[]>> {
  return {
    'E3 page 1': each(DISTINCT, (i) => ofAddress(addressOf(i))),
    'E3 page 1, nothing remembered': each(MANY, (i) => ofAddress(addressOf(i * APART))),
    'E3 page 500 of the busiest': each(DISTINCT, (i) => ofAddress(addressOf(i % 5), `&page=500&startBlockHeight=${i}`)),
    'E3 page 1 of the busiest': each(DISTINCT, (i) => ofAddress(addressOf(i % 5), `&startBlockHeight=${i}`)),
    'E2 page 1': each(DISTINCT, (i) => pathTo('token/transaction-list', `&tokenContractAddress=${tokenOf(i)}`)),
    'E7 page 1': each(DISTINCT, (i) => pathTo('transaction/large-transaction-list', `&type=${100 + i / 10_000}`)),
    'E8 by cursor': await walked(server, pathTo('transaction/transaction-list'), DISTINCT),
    'E12 by cursor': await walked(server, pathTo('address/native-token-position-list'), DISTINCT),
    'E17 1,000 logs': await walked(server, logsOf(tokenOf(0)), DISTINCT_LOGS),
    'E17 1,000 logs, nothing remembered': await logsOfMany(server),
  }
}

const PREFIX = '/api/v5/chain'

function pathTo(path: string, params = ''): string {
  return `${PREFIX}/${path}?chainShortName=DEV&limit=20${params}`
}

function ofAddress(address: string, params = ''): string {
  return pathTo('address/transaction-list', `&address=${address}${params}`)
}

function each(count: number, target: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => target(i))
}

function logsOf(address: string): string {
  return `${PREFIX}/log/by-address?chainShortName=DEV&address=${address}`
}

/** Some 120,000 logs in all. */
async function logsOfMany(server: Served): Promise<string[]> {
  const walks: string[][] = []
  for (let rank = 0; rank < 6; rank++) walks.push(await walked(server, logsOf(tokenOf(rank)), DISTINCT_LOGS))
  return walks.flat()
}

/** The pages that follow each other by their cursors. */
async function walked(server: Served, first: string, count: number): Promise<string[]> {
  const targets: string[] = []
  for (let target = first; targets.length < count; ) {
    targets.push(target)
    const cursor = /"nextCursor":"([^"]+)"/.exec(await bodyOf(server, target))?.[1]
    if (cursor === undefined) return targets
    target = `${first}&after=${cursor}`
  }
  return targets
}
