// Addresses of pages that have something to show, taken from the API of a running server.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../src/client/client.ts'

export type WebPlaces = Readonly<Record<string, string>>

const CHAIN = { chainShortName: 'DEV' }
const GIVE_UP_MS = 90_000
const ASK_EVERY_MS = 1_000

/** What not every chain has at every moment. */
const RARE = ['token-inventory', 'tx-failed', 'tx-transfers', 'tx-internal']

/** Waits until the chain has lived enough for every page to have something to show. */
export async function untilRich(client: Client): Promise<WebPlaces> {
  const giveUpMs = Date.now() + GIVE_UP_MS
  for (;;) {
    const places = await webPlaces(client).catch((error: unknown) => String(error))
    if (typeof places === 'object' && RARE.every((name) => places[name])) return places
    if (Date.now() > giveUpMs) throw new Error(`the devnet stayed poor: ${JSON.stringify(places)}`)
    await sleep(ASK_EVERY_MS)
  }
}

export async function webPlaces(client: Client): Promise<WebPlaces> {
  const { transactionList } = (await client.transactionList({ ...CHAIN, limit: '50' })).data[0]
  const fills = (
    await client.transactionFills({
      ...CHAIN,
      txid: transactionList
        .slice(0, 20)
        .map(({ txid }) => txid)
        .join(','),
    })
  ).data
  const busiest = fills.toSorted((a, b) => richnessOf(b) - richnessOf(a))[0]!
  const failed = transactionList.find(({ state }) => state === 'fail')
  const [token] = (await client.tokenList(CHAIN)).data[0].tokenList
  const [nft] = (await client.tokenList({ ...CHAIN, protocolType: 'token_721' })).data[0].tokenList
  const sender = busiest.inputDetails[0]!.inputHash
  const tx = `/tx/${busiest.txid}`
  const address = `/address/${sender}`
  return {
    home: '/',
    blocks: '/blocks',
    block: `/block/${busiest.height}`,
    'block-txs': `/block/${busiest.height}?tab=txs`,
    'block-internal': `/block/${busiest.height}?tab=internal`,
    'block-transfers': `/block/${busiest.height}?tab=transfers`,
    'block-flashblocks': `/block/${busiest.height}?tab=flashblocks`,
    'block-diff': `/block/${busiest.height}?tab=diff`,
    'block-future': '/block/4000000000',
    txs: '/txs',
    tx,
    ...(busiest.tokenTransferDetails.length > 0 && { 'tx-transfers': `${tx}?tab=transfers` }),
    ...(busiest.contractDetails.length > 0 && { 'tx-internal': `${tx}?tab=internal` }),
    'tx-logs': `${tx}?tab=logs`,
    'tx-state': `${tx}?tab=state`,
    'tx-raw': `${tx}?tab=raw`,
    ...(failed && { 'tx-failed': `/tx/${failed.txid}` }),
    address,
    'address-transfers': `${address}?tab=transfers`,
    'address-internal': `${address}?tab=internal`,
    'address-tokens': `${address}?tab=tokens`,
    tokens: '/tokens',
    ...(token && {
      contract: `/address/${token.tokenContractAddress}?tab=contract`,
      token: `/token/${token.tokenContractAddress}`,
      'token-holders': `/token/${token.tokenContractAddress}?tab=holders`,
    }),
    ...(nft && { 'token-inventory': `/token/${nft.tokenContractAddress}?tab=inventory` }),
    flashblocks: '/flashblock',
    quality: '/quality',
    accounts: '/accounts',
    contracts: '/contracts',
    verify: '/verify',
    large: '/large',
    unconfirmed: '/txs/pending',
    charts: '/charts',
    gas: '/gas',
    tools: '/tools',
    labels: '/labels',
    console: '/console',
    docs: '/docs',
    about: '/about',
    search: '/search?q=zzz',
    missing: '/nothing-here',
  }
}

type Fill = { readonly tokenTransferDetails: readonly unknown[]; readonly contractDetails: readonly unknown[] }

/** Something of both is worth more than much of one. */
function richnessOf({ tokenTransferDetails: { length: transfers }, contractDetails: { length: calls } }: Fill): number {
  return 1_000 * Math.min(transfers, calls) + transfers + calls
}
