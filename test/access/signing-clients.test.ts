// Real clients against a running server. Each passes authentication (there is no data yet: code 50001), and each fails
// it with a wrong secret, so that a server that lets everyone in does not pass.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RestClient } from 'okx-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { type ApiCredentials, signedHeaders } from '../../src/client/sign.ts'
import { A_HASH, manyHashes } from '../support/contract-table.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { signedFetch } from '../support/signed-fetch.ts'

const script = fileURLToPath(new URL('../support/signed-request.sh', import.meta.url))
const run = promisify(execFile)

const BLOCKS = '/api/v5/chain/block/block-list'
const TRANSACTIONS = '/api/v5/chain/transaction/transaction-multi'
const VERIFY = '/api/v5/chain/contract/verify-source-code'
const submission = {
  chainShortName: 'DEV',
  contractAddress: '0x4200000000000000000000000000000000000006',
  contractName: 'Token',
  sourceCode: '// straße → 街\ncontract Token { string s = "\\"\\\\"; }',
  codeFormat: 'solidity-single-file',
  compilerVersion: 'v0.8.30+commit.73712a01',
  optimization: '1',
} as const
const ACCEPTED = { code: '50001' }
const REFUSED = { code: '50113' }

let server: TestServer
let intruder: ApiCredentials

beforeAll(async () => {
  server = await startTestServer()
  intruder = { ...server.credentials, secret: 'F'.repeat(32) }
})

afterAll(() => server?.stop())

describe('the typed client', () => {
  const clientOf = (credentials: ApiCredentials) => createClient({ baseUrl: server.url, credentials })

  test('the typed client signs a GET', async () => {
    await expect(clientOf(server.credentials).blockList({ chainShortName: 'DEV' })).rejects.toMatchObject(ACCEPTED)
    await expect(clientOf(intruder).blockList({ chainShortName: 'DEV' })).rejects.toMatchObject(REFUSED)
  })

  test('the typed client signs a GET with a list and with characters that must be escaped', async () => {
    const client = clientOf(server.credentials)
    await expect(client.transactionMulti({ chainShortName: 'DEV', txId: manyHashes(20) })).rejects.toMatchObject(
      ACCEPTED,
    )
    await expect(client.blockList({ chainShortName: 'a b&c=d+ü%/?' })).rejects.toMatchObject({ code: '50038' })
  })

  test('the typed client signs a POST', async () => {
    await expect(clientOf(server.credentials).verifySourceCode(submission)).rejects.toMatchObject(ACCEPTED)
    await expect(clientOf(intruder).verifySourceCode(submission)).rejects.toMatchObject(REFUSED)
  })

  test('the typed client hands on what the server says of a refusal', async () => {
    const refusal = clientOf(server.credentials).blockList({ chainShortName: 'DEV', limit: '101' })
    await expect(refusal).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: '51000',
      message: expect.stringContaining('limit'),
      requestId: expect.stringMatching(/./),
    })
  })
})

describe('a shell script with openssl and curl', () => {
  const answerTo = async ({ key, secret, passphrase }: ApiCredentials, ...words: string[]): Promise<unknown> => {
    const env = { ...process.env, KEY: key, SECRET: secret, PASSPHRASE: passphrase }
    return JSON.parse((await run('sh', [script, server.url, ...words], { env })).stdout)
  }

  test('a shell script with openssl and curl signs a GET, lists included', async () => {
    const target = `${TRANSACTIONS}?chainShortName=DEV&txId=${A_HASH},${A_HASH}`
    expect(await answerTo(server.credentials, target)).toMatchObject(ACCEPTED)
    expect(await answerTo(intruder, target)).toMatchObject(REFUSED)
  })

  test('a shell script with openssl and curl signs a POST', async () => {
    const body = JSON.stringify(submission)
    expect(await answerTo(server.credentials, VERIFY, body)).toMatchObject(ACCEPTED)
    expect(await answerTo(intruder, VERIFY, body)).toMatchObject(REFUSED)
  })
})

describe('the npm package okx-api', () => {
  const clientOf = ({ key, secret, passphrase }: ApiCredentials) =>
    new RestClient({ apiKey: key, apiSecret: secret, apiPass: passphrase, baseUrl: server.url })
  const chainShortName = 'DEV'

  test('the npm package okx-api signs a GET under each path that it may use', async () => {
    for (const segment of ['chain', 'xlayer', 'explorer']) {
      const path = BLOCKS.replace('/chain/', `/${segment}/`)
      await expect(clientOf(server.credentials).getPrivate(path, { chainShortName, limit: 50 })).rejects.toMatchObject(
        ACCEPTED,
      )
    }
    await expect(clientOf(intruder).getPrivate(BLOCKS, { chainShortName })).rejects.toMatchObject(REFUSED)
  })

  test('the npm package okx-api signs a GET with a list of hashes', async () => {
    for (const count of [1, 2, 20]) {
      const asked = { chainShortName, txId: manyHashes(count) }
      await expect(clientOf(server.credentials).getPrivate(TRANSACTIONS, asked)).rejects.toMatchObject(ACCEPTED)
    }
    await expect(
      clientOf(intruder).getPrivate(TRANSACTIONS, { chainShortName, txId: manyHashes(2) }),
    ).rejects.toMatchObject(REFUSED)
  })

  test('the npm package okx-api signs a POST, to which it adds a field of its own', async () => {
    await expect(clientOf(server.credentials).postPrivate(VERIFY, submission)).rejects.toMatchObject(ACCEPTED)
    await expect(clientOf(intruder).postPrivate(VERIFY, submission)).rejects.toMatchObject(REFUSED)
  })
})

describe('habits seen in other clients', () => {
  const target = `${TRANSACTIONS}?chainShortName=DEV&txId=${manyHashes(2)}`

  test('a timestamp without milliseconds is accepted', async () => {
    const timestamp = new Date().toISOString().replace(/\.\d{3}Z$/, 'Z')
    const { body } = await signedFetch(server, { target, timestamp })
    expect(body).toMatchObject(ACCEPTED)
  })

  test('commas are accepted raw and percent-encoded in either case', async () => {
    for (const comma of [',', '%2C', '%2c']) {
      const { body } = await signedFetch(server, { target: target.replaceAll(',', comma) })
      expect(body).toMatchObject(ACCEPTED)
    }
  })

  test('a signature over the decoded form of an encoded target is refused with the text to sign', async () => {
    const encoded = target.replace(',', '%2C')
    const timestamp = new Date().toISOString()
    const headers = await signedHeaders(server.credentials, { timestamp, method: 'GET', target, body: '' })
    const response = await fetch(server.url + encoded, { headers })
    expect(await response.json()).toMatchObject({
      ...REFUSED,
      msg: expect.stringContaining(`${timestamp}GET${encoded}`),
    })
  })

  test('header names are accepted in any case, under another prefix, among headers that mean nothing to this service', async () => {
    const timestamp = new Date().toISOString()
    const signed = await signedHeaders(server.credentials, { timestamp, method: 'GET', target, body: '' })
    const renamed = Object.entries(signed).map(([name, value]) => [
      name.replace('SVC', 'Ok').replace('ACCESS', 'Access'),
      value,
    ])
    const response = await fetch(server.url + target, {
      headers: { ...Object.fromEntries(renamed), 'OK-ACCESS-PROJECT': 'x' },
    })
    expect(await response.json()).toMatchObject(ACCEPTED)
  })
})
