// The APIs that verification tools use: their answers to missing and wrong parameters, and which of them need a key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { signedFetch } from '../support/signed-fetch.ts'

const NOBODY = `0x${'77'.repeat(20)}`
/** Every OP chain has a contract at this address. */
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const ROLES = 'indexer,api'
const READY_TIMEOUT_MS = 90_000

/** The server is ready a moment after it printed its banner, when the first block is indexed. */
async function startIndexing(environment: Record<string, string> = {}): Promise<TestServer> {
  const server = await startTestServer({ ROLES, DEVNET_TPS: '0', DEVNET_BLOCK_MS: '200', ...environment })
  for (const deadlineMs = Date.now() + READY_TIMEOUT_MS; Date.now() < deadlineMs; ) {
    if ((await fetch(`${server.url}/ready`)).status === 200) return server
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`not ready in time; it printed:\n${server.output()}`)
}

describe('verification APIs without VERIFY_KEYS_REQUIRED', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startIndexing()
  }, 180_000)
  afterAll(() => server?.stop())

  const etherscan = async (query: Record<string, string>, init?: RequestInit) =>
    (await fetch(`${server.url}/api?${new URLSearchParams({ module: 'contract', ...query })}`, init)).json()
  const sourcify = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${server.url}${path}`, init)
    return { status: response.status, body: await response.json() }
  }

  test('a server without the web explorer shows its API at /docs', async () => {
    const page = await fetch(`${server.url}/docs`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const paths = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)
    expect(paths).toContain('/docs/openapi.json')
    for (const path of paths) expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
  })

  test('the Etherscan API takes addresses of balancemulti together or one by one, in the query and in a form', async () => {
    const key = new URLSearchParams({ module: 'account', action: 'balancemulti', apikey: server.credentials.key })
    const together = `${key}&address=${NOBODY},${L1_BLOCK}`
    const oneByOne = `${key}&address=${NOBODY}&address=${L1_BLOCK}`
    const ask = async (query: string, body?: string) => {
      const init =
        body === undefined
          ? {}
          : { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      return (await fetch(`${server.url}/api?${query}`, init)).json()
    }
    const answer = await ask(together)
    expect(answer.result.map(({ account }: { account: string }) => account)).toEqual([NOBODY, L1_BLOCK])
    expect(await ask(oneByOne)).toEqual(answer)
    expect(await ask('', oneByOne)).toEqual(answer)
  })

  test('the Etherscan API needs no key for sources and contract creations, and one for everything else', async () => {
    expect(await etherscan({ action: 'getabi', address: NOBODY })).toEqual({
      status: '0',
      message: 'NOTOK',
      result: 'Contract source code not verified',
    })
    const body = new URLSearchParams({ action: 'getsourcecode', address: NOBODY, apikey: 'made-up' })
    expect(await etherscan({}, { method: 'POST', body })).toMatchObject({
      status: '1',
      result: [{ SourceCode: '', ABI: 'Contract source code not verified', Proxy: '0' }],
    })
    expect(await etherscan({ action: 'getcontractcreation', contractaddresses: NOBODY })).toEqual({
      status: '0',
      message: 'No data found',
      result: [],
    })
    expect(await etherscan({ module: 'account', action: 'balance', address: NOBODY })).toMatchObject({
      result: 'Missing/Invalid API Key',
    })
  })

  test('a wrong submission to the Etherscan API is refused with the name of the wrong parameter', async () => {
    const submit = (form: Record<string, string>) =>
      etherscan({ action: 'verifysourcecode' }, { method: 'POST', body: new URLSearchParams(form) })
    const whole = { contractaddress: L1_BLOCK, contractname: 'A', sourceCode: 'contract A {}' }
    expect(await submit({ ...whole, contractaddress: NOBODY })).toMatchObject({
      result: `Unable to locate ContractCode at ${NOBODY}`,
    })
    expect(await submit({ ...whole, contractname: '' })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/contractname/),
    })
    expect(await submit({ ...whole, codeformat: 'cobol' })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/codeformat/),
    })
    expect(await submit({ ...whole, codeformat: 'solidity-standard-json-input' })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/standard JSON/),
    })
    expect(await submit({ ...whole, constructorArguements: 'zz' })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/hex/),
    })
    expect(await submit({ ...whole, runs: 'many' })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/runs/),
    })
    expect(await submit({ ...whole, libraryname1: 'Sums' })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/libraryaddress1/),
    })
    const { result: guid } = await submit(whole)
    expect(guid).toMatch(/^[0-9a-f]{32}$/)
    // No process has the role `verifier` in this test, so the job waits.
    expect(await etherscan({ action: 'checkverifystatus', guid })).toEqual({
      status: '0',
      message: 'Position 1 of 1 in the queue.',
      result: 'Pending in queue',
    })
    expect(await etherscan({ action: 'checkverifystatus', guid: 'x' })).toMatchObject({ result: 'Invalid GUID' })
    expect(await etherscan({ action: 'checkproxyverification', guid })).toMatchObject({
      status: '0',
      result: expect.stringMatching(/of a source, not of a proxy/),
    })
    expect(await sourcify(`/v2/verify/${guid}`)).toMatchObject({
      status: 200,
      body: {
        isJobCompleted: false,
        verificationId: guid,
        queuePosition: 1,
        queueLength: 1,
        contract: { match: null, address: L1_BLOCK },
      },
    })
    const asked = { target: '/api/v5/chain/contract/check-verify-result', method: 'POST' }
    const body = JSON.stringify({ chainShortName: 'DEV', guid })
    expect((await signedFetch(server, { ...asked, body })).body).toMatchObject({
      data: ['Pending'],
      msg: 'Position 1 of 1 in the queue.',
    })
  })

  test('a sender with too many open verifications is refused in each dialect, with a time to wait', async () => {
    const source = (number: number) => `contract Many${number} {}`
    const form = (number: number) =>
      new URLSearchParams({
        action: 'verifysourcecode',
        contractaddress: L1_BLOCK,
        contractname: 'A',
        sourceCode: source(number),
      })
    const post = (number: number) => fetch(`${server.url}/api?module=contract`, { method: 'POST', body: form(number) })
    for (let i = 0; i < 20; i++) await post(i)
    const refused = await post(21)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([200, 30])
    // Clients wait after `NOTOK` with these first words.
    expect(await refused.json()).toEqual({
      status: '0',
      message: 'NOTOK',
      result: expect.stringMatching(/^Max rate limit reached\. You have 20 verifications/),
    })
    const input = { language: 'Solidity', sources: { 'a.sol': { content: source(22) } }, settings: {} }
    const sourcifyRefused = await fetch(`${server.url}/v2/verify/1337200/${L1_BLOCK}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ stdJsonInput: input, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' }),
    })
    expect([sourcifyRefused.status, sourcifyRefused.headers.get('retry-after')]).toEqual([429, '30'])
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/^firstlight_verifications_refused_total\{reason="sender"\} [2-9]/m)
  })

  test('the Sourcify API refuses in the form of Sourcify', async () => {
    const send = (path: string, body: string) =>
      sourcify(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const post = (path: string, body: unknown) => send(path, JSON.stringify(body))
    const refused = (status: number, customCode: string) => ({
      status,
      body: { customCode, message: expect.any(String), errorId: expect.any(String) },
    })
    expect(await sourcify(`/sourcify/v2/contract/1337200/${NOBODY}`)).toEqual({
      status: 404,
      body: { match: null, creationMatch: null, runtimeMatch: null, chainId: '1337200', address: NOBODY },
    })
    expect(await sourcify(`/v2/contract/1/${NOBODY}`)).toMatchObject(refused(404, 'unsupported_chain'))
    expect(await sourcify('/v2/contract/1337200/0x12')).toMatchObject(refused(400, 'invalid_parameter'))
    expect(await sourcify(`/v2/verify/${'f'.repeat(32)}`)).toMatchObject(refused(404, 'job_not_found'))
    const path = `/v2/verify/1337200/${NOBODY}`
    expect(await post(path, {})).toMatchObject(refused(400, 'invalid_parameter'))
    expect(await send(path, '{')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^The body must be a JSON object of stdJsonInput/) },
    })
    const named = { compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' }
    const cobol = await post(path, { ...named, stdJsonInput: { language: 'Cobol' } })
    expect(cobol).toMatchObject(refused(400, 'invalid_parameter'))
    expect(cobol.body.message).toMatch(/stdJsonInput.*language/)
  })
})

describe('verification APIs with VERIFY_KEYS_REQUIRED', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startIndexing({ VERIFY_KEYS_REQUIRED: 'true' })
  }, 180_000)
  afterAll(() => server?.stop())

  test('verification APIs with VERIFY_KEYS_REQUIRED with VERIFY_KEYS_REQUIRED the Etherscan API answers only with a key, and the Sourcify API is absent', async () => {
    const ask = async (key: string) =>
      (await fetch(`${server.url}/api?module=contract&action=getabi&address=${NOBODY}&apikey=${key}`)).json()
    expect(await ask('')).toMatchObject({ result: 'Missing/Invalid API Key' })
    expect(await ask('made-up')).toMatchObject({ result: 'Invalid API Key' })
    expect(await ask(server.credentials.key)).toMatchObject({ result: 'Contract source code not verified' })
    expect((await fetch(`${server.url}/v2/contract/1337200/${NOBODY}`)).status).toBe(404)
    expect(await (await fetch(`${server.url}/v2/contract/1337200/${NOBODY}`)).json()).toMatchObject({ code: '50005' })
  })
})
