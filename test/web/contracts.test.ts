// Contracts in a real browser: verified by the form, read as a source, called and written to by a wallet.
import type { Browser } from 'playwright-core'
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseEther, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { developers } from '../../devnet/genesis/accounts.ts'
import { loadedBy, openPage } from '../support/browser.ts'
import { rpc } from '../support/devnet.ts'
import type { TestServer } from '../support/server.ts'
import { BOX, HOSTILE, openCall, startBoxSite, submitSource } from '../support/verification/box-site.ts'
import type { Compiled } from '../support/verification/deployer.ts'
import { surveyOf } from '../support/web-survey.ts'
import { addTestWallet } from '../support/web-wallet.ts'

const START_TIMEOUT_MS = 180_000
const FLOW_TIMEOUT_MS = 120_000
const SURVEY_TIMEOUT_MS = 180_000
let server: TestServer
let browser: Browser
let devnet: string
let abi: Compiled['abi']
let box: Hex
let other: Hex
let pointer: Hex
let stranger: Hex
let refused: Hex
let failedJob: string
let verifiedJob: string

beforeAll(async () => {
  ;({ server, browser, devnet, abi, box, other, pointer, stranger, refused } = await startBoxSite())
}, START_TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the verify form', { timeout: FLOW_TIMEOUT_MS }, () => {
  test('the verify form keeps its fields when it is refused, also without JavaScript', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/verify?address=${box}`)
    await page.locator('[name=contractName]').fill('Box')
    await page.locator('[name=sourceCode]').fill(`${BOX}\n// ${HOSTILE}`)
    await page.getByRole('button', { name: 'Verify' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('compilerVersion')
    expect(await page.locator('[name=sourceCode]').inputValue()).toBe(`${BOX}\n// ${HOSTILE}`)
    expect(await page.locator('[name=contractAddress]').inputValue()).toBe(box)
    await page.context().close()
  })

  test('a failed verification shows where the code differs', async () => {
    const page = await openPage(browser)
    await submitSource(page, `${server.url}/verify?address=${box}`, BOX.replace('> 1000)', '> 1001)'))
    await page.getByText('Not verified').waitFor({ timeout: FLOW_TIMEOUT_MS })
    failedJob = new URL(page.url()).pathname
    const text = await page.locator('main').textContent()
    expect(text).toMatch(/First difference\s*Byte [\d,]+ of the runtime code: code/)
    expect(await page.locator('.bytes mark').count()).toBeGreaterThan(0)
    // What stands before the first difference is the same on both sides, and as long.
    const [chain, compiled] = await Promise.all(
      [2, 3].map((column) => page.locator(`.bytes tbody tr td:nth-child(${column})`).allTextContents()),
    )
    expect(chain!.length).toBeGreaterThan(4)
    expect(chain!.slice(0, 4)).toEqual(compiled!.slice(0, 4))
    expect(chain).not.toEqual(compiled)
    expect(page.complaints).toEqual([])
    await page.context().close()
  })

  test('the open page of a verification follows its stages to success', async () => {
    const page = await openPage(browser)
    await submitSource(page, `${server.url}/verify?address=${box}`, BOX)
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await page.getByText('Success').waitFor({ timeout: FLOW_TIMEOUT_MS })
    verifiedJob = new URL(page.url()).pathname
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true)
    expect(await page.locator('.steps li').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('comparing with')]),
    )
    expect(page.complaints).toEqual([])
    await page.context().close()
  })
})

describe('a verified contract', { timeout: FLOW_TIMEOUT_MS }, () => {
  test('a verified contract is in the list and is found by name', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/contracts`)
    await page.locator('[name=name]').fill('bo')
    await loadedBy(page, () => page.getByRole('button', { name: 'Filter' }).click())
    expect(await page.locator('tbody tr').getAttribute('data-key')).toBe(box)
    expect(await page.locator('tbody tr').textContent()).toContain('Exact match')
    for (const kind of ['csv', 'ndjson']) {
      const link = await page.getByRole('link', { name: kind.toUpperCase() }).getAttribute('href')
      expect(link).toContain('name=bo')
      expect(await (await fetch(server.url + link)).text()).toContain(box)
    }
    await page.locator('[name=match]').selectOption('partial')
    await loadedBy(page, () => page.getByRole('button', { name: 'Filter' }).click())
    expect(await page.locator('tbody tr').count()).toBe(0)
    await page.context().close()
  })

  test('the source of a verified contract has line links, colours and a search, and is never run', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/address/${box}?tab=contract#L4`)
    const lines = await page.locator('.source code').allTextContents()
    expect(lines.join('\n')).toBe(BOX)
    expect(await page.locator('.source li:target code').textContent()).toBe('contract Box {')
    expect(await page.locator('.source .c').first().textContent()).toContain('SPDX')
    expect(await page.locator('.source .k').count()).toBeGreaterThan(5)
    await page.locator('[name=find]').fill('TooLarge')
    await loadedBy(page, () => page.locator('[name=find]').press('Enter'))
    const found = page.locator('.found a')
    expect(await found.count()).toBe(2)
    await found.first().click()
    expect(await page.locator('.source li:target code').textContent()).toContain('error TooLarge')
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expect(page.complaints).toEqual([])
    await page.context().close()
  })

  test('a verified contract shows its build and its constructor arguments', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/address/${box}?tab=contract&section=build`)
    const text = await page.locator('main').textContent()
    expect(text).toContain('v0.8.30+commit')
    expect(text).toContain('On, 200 runs')
    expect(text).toMatch(/start uint256\s*7/)
    expect(text).toContain(HOSTILE)
    expect(text).toContain('Creator')
    await page.goto(`${server.url}/address/${box}?tab=contract&section=abi`)
    expect(await page.locator('.abi').textContent()).toContain('TooLarge(uint256 given, uint256 most)')
    await page.context().close()
  })

  test('a verified source is also shown for a contract with the same code and for a proxy', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/address/${other}?tab=contract`)
    expect(await page.locator('.attested').textContent()).toMatch(/Similar match.*by the source code of/)
    await page.goto(`${server.url}/address/${pointer}?tab=contract`)
    expect(await page.locator('.delegation').textContent()).toMatch(/EIP-1967.*Box/)
    expect(await page.locator('.source').textContent()).toContain('contract Box {')
    await page.context().close()
  })
})

describe('calling a contract', { timeout: FLOW_TIMEOUT_MS }, () => {
  test('read functions work without a wallet, with lists as arguments and several results', async () => {
    const page = await openPage(browser)
    const label = await openCall(page, `${server.url}/address/${box}`, { section: 'read', name: 'label' })
    await label.getByRole('button', { name: 'Query' }).click()
    await label.locator('.answer', { hasText: HOSTILE }).waitFor()
    const sums = await openCall(page, `${server.url}/address/${box}`, { section: 'read', name: 'sums' })
    await sums.locator('input').fill('[1, 2, 340282366920938463463374607431768211456]')
    await sums.getByRole('button', { name: 'Query' }).click()
    await sums.locator('.answer', { hasText: '340282366920938463463374607431768211459' }).waitFor()
    expect(await sums.locator('.answer a').getAttribute('href')).toBe(`/address/${box}`)
    await sums.locator('input').fill('one')
    await sums.getByRole('button', { name: 'Query' }).click()
    await sums.locator('.failure', { hasText: 'write it as JSON' }).waitFor()
    expect(page.complaints).toEqual([])
    await page.context().close()
  })

  test('write functions use a wallet, work through a proxy, and show a custom error before sending', async () => {
    const page = await openPage(browser)
    await addTestWallet(page, devnet)
    const set = await openCall(page, `${server.url}/address/${pointer}`, { section: 'write', name: 'set' })
    await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
    await set.locator('[name=argument-0]').fill('5000')
    await set.getByRole('button', { name: 'Send' }).click()
    await set.locator('.failure', { hasText: 'TooLarge(5000, 1000)' }).waitFor()
    await set.locator('[name=argument-0]').fill('42')
    await set.locator('[name=value]').fill('0.5')
    await set.getByRole('button', { name: 'Send' }).click()
    const link = set.locator('.answer a')
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(/^\/tx\/0x[0-9a-f]{64}$/)
    // Preconfirmed within a block: no need to wait for one.
    const read = await openCall(page, `${server.url}/address/${pointer}`, { section: 'read', name: 'value' })
    await expect
      .poll(
        async () => {
          await read.getByRole('button', { name: 'Query' }).click()
          await read.locator('.answer:not(.soft)').waitFor()
          return read.locator('.answer').textContent()
        },
        { timeout: 20_000 },
      )
      .toContain('42')
    await expect
      .poll(() => rpc(devnet, 'eth_call', { to: pointer, data: toFunctionSelector('value()') }, 'latest'), {
        timeout: 20_000,
      })
      .toBe(`0x${(42).toString(16).padStart(64, '0')}`)
    expect(BigInt((await rpc(devnet, 'eth_getBalance', pointer, 'latest')) as string)).toBe(parseEther('0.5'))
    expect(page.complaints).toEqual([])
    await page.context().close()
  })

  test('the page of a transaction decodes the call, its logs and its custom error', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${server.url}/tx/${refused}`)
    expect(await page.locator('div.failure').textContent()).toMatch(
      /^Reverted: TooLarge.*given uint256\s*5000.*most uint256\s*1000/,
    )
    expect(await page.locator('.facts').textContent()).toMatch(/set.*next uint256\s*5000/)
    await page.goto(`${server.url}/address/${pointer}`)
    await page.goto(
      `${server.url}${await page.locator('tbody td a[href^="/tx/"]').first().getAttribute('href')}?tab=logs`,
    )
    expect(await page.locator('.log').textContent()).toMatch(/Replaced.*next uint256\s*42/)
    expect(await page.locator('.tag').count()).toBe(0)
    await page.context().close()
  })

  test('lists name a call by the ABI of another contract and mark it as a guess', async () => {
    const data = encodeFunctionData({ abi: parseAbi(['function set(uint256 next)']), args: [1n] })
    const account = privateKeyToAccount(developers[6]!.key)
    await createWalletClient({ account, transport: http(devnet) }).sendTransaction({
      chain: null,
      to: stranger,
      data,
      gas: 100_000n,
    })
    const page = await openPage(browser)
    await page.goto(`${server.url}/address/${stranger}`)
    await expect
      .poll(
        async () => {
          await page.reload()
          return page.locator('tbody .method').allTextContents()
        },
        { timeout: 20_000 },
      )
      .toContain('set? (a guess)')
    await page.context().close()
  })

  test('an open list shows the name of a verified contract', async () => {
    const page = await openPage(browser)
    await page.goto(`${server.url}/txs`)
    const hash = await createWalletClient({
      account: privateKeyToAccount(developers[6]!.key),
      transport: http(devnet),
    }).sendTransaction({ chain: null, to: box, data: encodeFunctionData({ abi, functionName: 'set', args: [3n] }) })
    const row = page.locator(`[data-live=transactions] [data-key="${hash}"]`)
    await row.locator('.contract-name', { hasText: 'Box' }).waitFor()
    await page.context().close()
  })

  test('functions of an unverified contract are guessed from selectors and marked as guesses', async () => {
    const page = await openPage(browser)
    const transfer = await openCall(page, `${server.url}/address/${stranger}`, { section: 'read', name: 'transfer' })
    expect(await transfer.locator('summary').textContent()).toContain('guess')
    await transfer.locator('input').nth(0).fill(box)
    await transfer.locator('input').nth(1).fill('1')
    await transfer.getByRole('button', { name: 'Query' }).click()
    await transfer.locator('.answer', { hasText: `0x${'1'.padStart(64, '0')}` }).waitFor()
    await page.context().close()
  })

  test('write functions say so where there is no wallet', async () => {
    const page = await openPage(browser)
    const set = await openCall(page, `${server.url}/address/${box}`, { section: 'write', name: 'set' })
    await set.locator('[name=argument-0]').fill('1')
    await set.getByRole('button', { name: 'Send' }).click()
    await set.locator('.failure', { hasText: 'No wallet' }).waitFor()
    await page.context().close()
  })
})

test(
  'pages of contracts pass every check of pages',
  async () => {
    const tab = `/address/${box}?tab=contract`
    const survey = await surveyOf(browser, server.url, {
      contracts: '/contracts',
      verify: '/verify',
      source: tab,
      found: `${tab}&find=value`,
      abi: `${tab}&section=abi`,
      build: `${tab}&section=build`,
      read: `${tab}&section=read`,
      write: `${tab}&section=write`,
      similar: `/address/${other}?tab=contract&section=similar`,
      proxy: `/address/${pointer}?tab=contract`,
      unverified: `/address/${stranger}?tab=contract`,
      guessed: `/address/${stranger}?tab=contract&section=write`,
      'failed job': failedJob,
      'verified job': verifiedJob,
      error: `/tx/${refused}`,
    })
    const { scriptBytes, ...faults } = survey
    expect(faults).toEqual({ poor: [], foreign: [], complaints: [], wide: [], violations: [] })
    for (const [name, bytes] of Object.entries(scriptBytes)) expect(bytes, name).toBeLessThan(60_000)
  },
  SURVEY_TIMEOUT_MS,
)
