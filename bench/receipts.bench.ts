// How long viem's own `waitForTransactionReceipt` takes through /flashblocks on a devnet with blocks of two seconds, with requests for
// receipts held until the preconfirmation (the default) and without. The client is not changed. Aim: at most 0.7 of the time.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, createWalletClient, defineChain, http, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developers } from '../devnet/genesis/accounts.ts'
import { type FirstlightProcess, startFirstlight } from '../test/support/firstlight-process.ts'
import { freePort } from '../test/support/free-port.ts'

const SAMPLES = 60
const CHAIN_ID = 1_337_200
const BLOCK_MS = 2_000
/** Sends at every phase of a flashblock and of a block. */
const PAUSE_MS = 137

const devnetPort = await freePort()
const devnet = await startFirstlight(['devnet'], {
  DEVNET_PORT: devnetPort,
  DEVNET_BLOCK_MS: String(BLOCK_MS),
  LOG_LEVEL: 'warn',
})

async function startServer(holdsReceipts: boolean): Promise<{ server: FirstlightProcess; url: string }> {
  const port = await freePort()
  const server = await startFirstlight(['start'], {
    PORT: port,
    RPC_URL: `http://127.0.0.1:${devnetPort}`,
    FLASHBLOCKS_ENABLED: 'true',
    FLASHBLOCKS_URL: `ws://127.0.0.1:${devnetPort}/flashblocks`,
    FLASHBLOCKS_HOLD_RECEIPTS: String(holdsReceipts),
    ROLES: 'rpc,relay',
    RATE_LIMIT_IP: '0',
    LOG_LEVEL: 'warn',
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/ready`)).ok) await sleep(200)
  return { server, url: `${url}/flashblocks` }
}

function sender(url: string, index: number): () => Promise<number> {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    blockTime: BLOCK_MS,
    rpcUrls: { default: { http: [url] } },
  })
  const account = privateKeyToAccount(developers[index]!.key)
  const wallet = createWalletClient({ account, chain, transport: http() })
  const client = createPublicClient({ chain, transport: http() })
  return async () => {
    const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 1n, gas: 21_000n }
    const request = await wallet.prepareTransactionRequest({ to: account.address, value: 1n, ...fees })
    const raw = await wallet.signTransaction(request)
    const startedMs = performance.now()
    const hash = await wallet.sendRawTransaction({ serializedTransaction: raw })
    await client.waitForTransactionReceipt({ hash })
    return performance.now() - startedMs
  }
}

const servers = [await startServer(true), await startServer(false)]
const sends = servers.map(({ url }, index) => sender(url, index))
const times: [number[], number[]] = [[], []]
for (let sample = 0; sample < SAMPLES; sample++) {
  for (const which of [0, 1] as const) {
    times[which].push(await sends[which]!())
    await sleep(PAUSE_MS)
  }
}
const [held, notHeld] = times.map((all) => all.sort((a, b) => a - b)[SAMPLES >> 1]!) as [number, number]
console.log(
  `waitForTransactionReceipt of viem, median of ${SAMPLES}: ${held.toFixed(0)} ms with held receipts, ${notHeld.toFixed(0)} ms without`,
)
console.log(`ratio ${(held / notHeld).toFixed(2)} (aim: at most 0.7)`)
for (const { server } of servers) await server.stop()
await devnet.stop()
