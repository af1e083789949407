// The rules of Karst as a client of the devnet meets them, and the forks that one can choose instead.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'

const SENDER = developers[0]!.address
/** Init code that returns CLZ(1) as the code of the new contract. */
const COUNT_LEADING_ZEROS = '0x60011e60005260206000f3'
/** Init code that returns the gas it has. */
const RETURN_GAS = '0x5a60005260206000f3'
const CAP = 2 ** 24
const P256VERIFY = '0x0000000000000000000000000000000000000100'

let karst: Devnet
let jovian: Devnet
beforeAll(async () => {
  karst = await startStillDevnet({ fork: 'karst' })
  jovian = await startStillDevnet({ fork: 'jovian' })
})
afterAll(() => Promise.all([karst.stop(), jovian.stop()]))

describe('a devnet', () => {
  test('a devnet executes CLZ, unless it is set to follow an older fork', async () => {
    expect(BigInt(await rpc(karst.url, 'eth_call', { data: COUNT_LEADING_ZEROS }, 'latest'))).toBe(255n)
    expect(await ask(jovian.url, 'eth_call', { data: COUNT_LEADING_ZEROS }, 'latest')).toMatchObject({
      error: { message: expect.stringContaining('invalid opcode') },
    })
  })

  test('a devnet charges 6,900 gas for P-256, and before Karst half of it', async () => {
    const estimate = async ({ url }: Devnet) => Number(await rpc(url, 'eth_estimateGas', { to: P256VERIFY }))
    expect(await estimate(karst)).toBe(21_000 + 6_900)
    expect(await estimate(jovian)).toBe(21_000 + 3_450)
  })

  test('a devnet takes no transaction with more than 2^24 gas, and gives a call no more', async () => {
    const transaction = { from: SENDER, to: SENDER, gas: `0x${(CAP + 1).toString(16)}` }
    expect(await ask(karst.url, 'eth_sendTransaction', transaction)).toMatchObject({
      error: { message: expect.stringContaining('transaction gas limit too high') },
    })
    expect(Number(await rpc(karst.url, 'eth_call', { data: RETURN_GAS }, 'latest'))).toBeLessThan(CAP)
    expect(Number(await rpc(karst.url, 'eth_call', { data: RETURN_GAS, gas: '0x2000000' }, 'latest'))).toBeLessThan(CAP)
    expect(Number(await rpc(jovian.url, 'eth_call', { data: RETURN_GAS }, 'latest'))).toBeGreaterThan(CAP)
  })

  test('a devnet includes a deposit with more gas than a transaction may have', async () => {
    const hash = await rpc(karst.url, 'devnet_deposit', { from: SENDER, to: SENDER, gas: '0x1312d00' })
    await rpc(karst.url, 'devnet_seal')
    expect(await rpc(karst.url, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1', type: '0x7e' })
  })

  test('a devnet says which rules it follows (eth_config)', async () => {
    const { current, next, last } = await rpc(karst.url, 'eth_config')
    expect({ next, last }).toEqual({ next: null, last: null })
    expect(current).toMatchObject({
      activationTime: 0,
      chainId: expect.stringMatching(/^0x[0-9a-f]+$/),
      forkId: expect.stringMatching(/^0x[0-9a-f]{8}$/),
      precompiles: { ECREC: `0x${'0'.repeat(39)}1`, P256VERIFY },
      systemContracts: { HISTORY_STORAGE_ADDRESS: '0x0000f90827f1c53a10cb7a02335b175320002935' },
    })
    expect(Object.keys(current.precompiles)).toHaveLength(18)
  })
})
