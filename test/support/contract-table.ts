// Sections 4 and 8 of the spec and decisions 7, 8, 10, 15, 26 and 27, typed in by hand. Nothing in it is derived from the
// contract that it tests. `good` holds the edges of what is allowed, `bad` what lies just past them; the first good value
// of each required parameter together make a request that must be accepted.

export type Rule = { good: readonly unknown[]; bad: readonly unknown[] }

export type Row = {
  id: string
  method: 'GET' | 'POST'
  path: string
  required: Readonly<Record<string, Rule>>
  optional: Readonly<Record<string, Rule>>
}

export const AN_ADDRESS = '0x4200000000000000000000000000000000000006'
export const A_HASH = `0x${'ab'.repeat(32)}`
export function manyHashes(count: number): string {
  return Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`).join(',')
}

const HUGE = '9'.repeat(40)

const chain: Rule = { good: ['DEV', 'dev', 'dEv'], bad: [] }
const address: Rule = {
  good: [AN_ADDRESS, `0x${'aB'.repeat(20)}`, `0x${'F'.repeat(40)}`],
  bad: [
    `0x${'a'.repeat(39)}`,
    `0x${'a'.repeat(41)}`,
    'a'.repeat(40),
    `0x${'g'.repeat(40)}`,
    '0x',
    'vitalik',
    `${AN_ADDRESS} `,
  ],
}
const hash: Rule = {
  good: [A_HASH, `0x${'AB'.repeat(32)}`],
  bad: [
    `0x${'a'.repeat(63)}`,
    `0x${'a'.repeat(65)}`,
    'a'.repeat(64),
    `0x${'z'.repeat(64)}`,
    '0x',
    `${A_HASH},${A_HASH}`,
  ],
}
const hashes: Rule = {
  good: [A_HASH, manyHashes(2), manyHashes(19), manyHashes(20)],
  bad: [`${A_HASH},`, `,${A_HASH}`, `${A_HASH},,${A_HASH}`, `${A_HASH};${A_HASH}`, `${A_HASH},0x12`, ',', 'abc'],
}
const addresses: Rule = {
  good: [AN_ADDRESS, Array.from({ length: 20 }, () => AN_ADDRESS).join(',')],
  bad: [`${AN_ADDRESS},`, `,${AN_ADDRESS}`, `${AN_ADDRESS};${AN_ADDRESS}`, '0x12', 'vitalik'],
}
const height: Rule = {
  good: ['0', '1', '24000000'],
  bad: ['-1', '1.5', 'abc', '1e3', '0x10', 'latest', ' ', '1 ', '+1', '１', HUGE],
}
const flashblockIndex: Rule = {
  good: ['0', '2', '1023'],
  bad: ['-1', '1.5', 'abc', '1e3', '0x1', ' ', '1024', HUGE],
}
const lastHeight: Rule = { ...height, good: ['24000000', '24000001'] }
const time: Rule = {
  good: ['0', '1700000000000', '1700000000'],
  bad: ['-1', '1.5', 'abc', '1e12', '2026-11-15', '2026-11-15T00:00:00Z', HUGE],
}
const amount: Rule = {
  good: ['0', '12.5', '0.000000000000000001', `1${'0'.repeat(40)}`],
  bad: ['-1', '1e3', 'abc', '1,5', '.', '1.', '0x10', 'NaN', 'Infinity', '1.5.1'],
}
const threshold: Rule = {
  good: ['100', '100.0', '100.5', '1000'],
  bad: ['99', '99.999999999999999999', '0', '-100', 'abc', '1e3'],
}
const page: Rule = { good: ['1', '2', '500', '100000'], bad: ['0', '-1', '1.5', 'abc', '1e1', '0x1', ' ', 'NaN', HUGE] }
function limit(most: number): Rule {
  return {
    good: ['1', '20', String(most - 1), String(most)],
    bad: ['0', '-1', String(most + 1), '1.5', 'abc', '1e1', '0x10', ' ', 'null', HUGE],
  }
}
const cursor: Rule = { good: ['AbC-123_z'], bad: ['not a cursor', 'a'.repeat(5_000)] }
function oneOf(...values: string[]): Rule {
  return {
    good: values,
    bad: ['nonsense', `${values[0]}x`, 'FROM', 'Token_20', values.join(','), '__proto__', 'constructor', '2'],
  }
}

function paging(most: number) {
  return { page, limit: limit(most), after: cursor }
}
const tokenKinds = ['token_20', 'token_721', 'token_1155', 'token_10']
const recordKinds = ['transaction', 'internal', ...tokenKinds]
const range = { startBlockHeight: height, endBlockHeight: height, isFromOrTo: oneOf('from', 'to') }

/** A JSON string of a body: the good values as they are, other JSON types refused. */
const OTHER_TYPES = [0, 1, 1.5, true, false, {}, [], ['x'], { a: 1 }]
function json({ good, bad }: Rule): Rule {
  return { good, bad: [...bad.filter((value) => value !== ' '), ...OTHER_TYPES] }
}
function words(...good: string[]): Rule {
  return json({ good, bad: [] })
}
const guid: Rule = json({
  good: ['eb5c06099d3841359d398541166343fe'],
  bad: ['eb5c06099d3841359d398541166343f', 'eb5c06099d3841359d398541166343fe0', 'g'.repeat(32), 'E'.repeat(32)],
})

export function libraries(count: number) {
  return Array.from({ length: count }, (_, i) => ({ libraryName: `Library${i}`, libraryAddress: AN_ADDRESS }))
}

const libraryInfo: Rule = {
  good: [[], libraries(1), libraries(10), [...libraries(10), ...libraries(1)]],
  bad: [
    1,
    true,
    'Library',
    {},
    ['Library'],
    [null],
    [[]],
    [{ libraryName: 'Library', libraryAddress: '0x12' }],
    [{ libraryName: 1, libraryAddress: AN_ADDRESS }],
  ],
}

function get(id: string, path: string, required: Row['required'], optional: Row['optional'] = {}): Row {
  return {
    id,
    method: 'GET',
    path,
    required: { chainShortName: chain, ...required },
    optional,
  }
}

function post(id: string, path: string, required: Row['required'], optional: Row['optional'] = {}): Row {
  return {
    id,
    method: 'POST',
    path,
    required: { chainShortName: json(chain), ...required },
    optional,
  }
}

export const table: readonly Row[] = [
  get(
    'E1',
    '/token/token-list',
    {},
    {
      protocolType: oneOf(...tokenKinds),
      tokenContractAddress: address,
      startTime: time,
      endTime: time,
      orderBy: oneOf('totalMarketCap', 'transactionAmount24h'),
      ...paging(50),
    },
  ),
  get(
    'E2',
    '/token/transaction-list',
    { tokenContractAddress: address },
    {
      maxAmount: amount,
      minAmount: amount,
      ...paging(50),
    },
  ),
  get(
    'E3',
    '/address/transaction-list',
    { address },
    {
      protocolType: oneOf(...recordKinds, 'trx'),
      tokenContractAddress: address,
      ...range,
      ...paging(50),
    },
  ),
  get('E4', '/address/normal-transaction-list', { address }, { ...range, ...paging(50) }),
  get('E5', '/block/block-list', {}, { height, ...paging(100) }),
  get('E6', '/block/transaction-list', { height }, { protocolType: oneOf(...recordKinds), ...paging(100) }),
  get('E7', '/transaction/large-transaction-list', {}, { type: threshold, height, ...paging(50) }),
  get('E8', '/transaction/transaction-list', {}, { blockHash: hash, height, ...paging(50) }),
  get('E8a', '/transaction/unconfirmed-transaction-list', {}, { ...paging(50) }),
  get('E9', '/block/block-fills', { height }),
  get('E10', '/transaction/transaction-multi', { txId: hashes }),
  get(
    'E11',
    '/transaction/token-transfer-multi',
    { txId: hashes },
    { protocolType: oneOf(...tokenKinds), ...paging(100) },
  ),
  get('E12', '/address/native-token-position-list', {}, paging(100)),
  get('sister', '/token/position-list', { tokenContractAddress: address }, { holderAddress: address, ...paging(100) }),
  get('sister', '/address/information-evm', { address }),
  get(
    'sister',
    '/address/token-balance',
    { address },
    { protocolType: oneOf(...tokenKinds), tokenContractAddress: address, ...paging(50) },
  ),
  get('sister', '/address/internal-transaction-list', { address }, { ...range, ...paging(50) }),
  get(
    'sister',
    '/address/token-transaction-list',
    { address },
    { protocolType: oneOf(...tokenKinds), tokenContractAddress: address, ...range, ...paging(50) },
  ),
  get('sister', '/block/block-height-by-time', { time }, { closest: oneOf('before', 'after') }),
  get('sister', '/transaction/transaction-fills', { txid: hashes }),
  get('sister', '/contract/creation-info', { contractAddress: addresses }),
  get(
    'sister',
    '/log/by-address-and-topic',
    { address, topic0: hash },
    { topic1: hash, topic2: hash, topic3: hash, startBlockHeight: height, endBlockHeight: height, after: cursor },
  ),
  get('E13', '/transaction/internal-transaction-multi', { txId: hashes }, paging(100)),
  get('E14', '/transaction/internal-transaction-detail', { txId: hash }, paging(100)),
  post(
    'E15',
    '/contract/verify-source-code',
    {
      contractAddress: json(address),
      contractName: words('Token', 'src/Token.sol:Token'),
      sourceCode: words('contract Token {}', '// ünïcode ✓ \u0000 end'),
      codeFormat: json(oneOf('solidity-single-file', 'solidity-standard-json-input', 'vyper')),
      compilerVersion: words('v0.8.30+commit.73712a01', '0.8.30', 'v0.4.11+commit.68ef5810'),
      optimization: json(oneOf('0', '1')),
    },
    {
      optimizationRuns: json({ good: ['0', '1', '200', '999999'], bad: ['-1', '1.5', 'abc', '1e3', HUGE] }),
      contractAbi: words('[]'),
      evmVersion: json(oneOf('london', 'paris', 'shanghai', 'cancun', 'prague')),
      licenseType: words('MIT'),
      viaIr: { good: [true, false], bad: ['true', 'false', 'yes', '1', 1, 0, {}, []] },
      libraryInfo,
    },
  ),
  post('decision 26', '/contract/check-verify-result', { guid }),
  post(
    'decision 26',
    '/contract/verify-proxy-contract',
    { proxyContractAddress: json(address) },
    {
      expectedImplementation: json(address),
    },
  ),
  post('decision 26', '/contract/check-proxy-verify-result', { guid }),
  get('E16', '/contract/verify-contract-info', { contractAddress: address }),
  get('E17', '/log/by-address', { address }, { after: cursor }),
  get('E18', '/log/by-transaction', { txId: hash }, { after: cursor }),
  get(
    'E19',
    '/log/by-block-and-address',
    { startBlockHeight: height, endBlockHeight: lastHeight, address },
    { after: cursor },
  ),
  get('sister', '/preconfirmation/quality', {}),
  get('sister', '/preconfirmation/transaction', { txId: hash }),
  get('sister', '/preconfirmation/flashblock-list', {}, paging(100)),
  get('sister', '/preconfirmation/flashblock', { height, index: flashblockIndex }),
  get('sister', '/preconfirmation/block', { height }),
]

/** A request that must be accepted. */
export function sampleOf({ required }: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(required).map(([name, { good }]) => [name, good[0]]))
}
