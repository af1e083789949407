// Random transactions for a running node: creations of random code, calls into it, transfers, failures, self-destructs, delegations,
// calls of precompiles at the edges of their rules, and deposits where the node takes them. The same seed gives the same choices.
import { developers } from '../../../devnet/genesis/accounts.ts'
import { addressToHex, bytesToHex, hexToAddress, hexToBytes, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { type RecoveredTransaction, signTransaction } from '../../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT, type DepositTransaction, FEE_MARKET } from '../../../src/chain/codec/transaction.ts'
import { createRandom, type Random } from '../differential/random.ts'
import { randomTransaction, type Scene, type User } from '../differential/random-transaction.ts'
import { edgeCalls } from './precompile-calls.ts'

export type FuzzTraffic = {
  /** Sends transactions and gives how many of them the node took. */
  send(count: number): Promise<number>
}

export type FuzzOptions = {
  readonly url: string
  readonly seed: number
  /** The devnet takes deposits from whoever asks; other nodes take none. */
  readonly takesDeposits: boolean
  /** Most pairs of points in a call of the bn254 pairing. */
  readonly mostPairs?: number
}

export function createFuzzTraffic({ url, seed, takesDeposits, mostPairs = Infinity }: FuzzOptions): FuzzTraffic {
  const random = createRandom(seed)
  const edges = edgeCalls(random, mostPairs)
  const contracts: bigint[] = []
  let unresolved: string[] = []

  /** Contracts that were created become targets of later calls. */
  const learnContracts = async () => {
    const receipts = await batch(
      url,
      unresolved.map((hash): Call => ['eth_getTransactionReceipt', hash]),
    )
    for (const receipt of receipts as ({ contractAddress?: string | null } | null | undefined)[]) {
      if (receipt?.contractAddress) contracts.push(hexToAddress(receipt.contractAddress))
    }
    contracts.splice(0, contracts.length - MOST_CONTRACTS)
    unresolved = []
  }

  return {
    async send(count) {
      await learnContracts()
      const scene = await sceneOf(url, targetsOf(contracts))
      const sent = new Map<bigint, bigint>()
      const calls: Call[] = []
      for (let i = 0; i < count; i++) {
        const nonceOf = (address: bigint) => scene.nonceOf(address) + (sent.get(address) ?? 0n)
        const now = { ...scene, nonceOf }
        const { transaction, raw, from } = random.chance(EDGE_CALLS)
          ? edgeTransaction(random, now, edges)
          : randomTransaction(random, now)
        if (transaction.type === DEPOSIT) {
          if (takesDeposits) calls.push(['devnet_deposit', depositRequest(random, transaction)])
          continue
        }
        calls.push(['eth_sendRawTransaction', bytesToHex(raw)])
        sent.set(from, (sent.get(from) ?? 0n) + 1n)
      }
      const taken = (await batch(url, calls)).filter((hash) => typeof hash === 'string')
      unresolved = taken as string[]
      return taken.length
    },
  }
}

const MOST_CONTRACTS = 150
const EDGE_CALLS = 0.12
/** A deposit may have less gas than it costs to begin: it is included, and fails before it is executed. */
const HOPELESS_DEPOSITS = 0.1
const HOPELESS_GAS = 21_000n
const EDGE_GAS = 16_000_000n
const PRECOMPILES = [...Array.from({ length: 0x11 }, (_, i) => BigInt(i + 1)), 0x100n]
const NOBODY = [0xdeadn, 0xbeef_0000_0000_0001n]

const users: readonly User[] = developers.map(({ address, key }) => ({
  address: hexToAddress(address),
  privateKey: hexToBytes(key),
}))

function targetsOf(contracts: readonly bigint[]): bigint[] {
  return [...users.map(({ address }) => address), ...contracts, ...contracts, ...PRECOMPILES, ...NOBODY]
}

async function sceneOf(url: string, targets: readonly bigint[]): Promise<Scene> {
  const [chainId, block, ...nonces] = (await batch(url, [
    ['eth_chainId'],
    ['eth_getBlockByNumber', 'latest', false],
    ...users.map(({ address }): Call => ['eth_getTransactionCount', addressToHex(address), 'pending']),
  ])) as [string, { baseFeePerGas: string }, ...string[]]
  const known = new Map(users.map(({ address }, i) => [address, BigInt(nonces[i]!)]))
  return {
    chainId: BigInt(chainId),
    // Enough for the blocks until it is included.
    baseFee: 2n * BigInt(block.baseFeePerGas),
    users,
    targets,
    nonceOf: (address) => known.get(address) ?? 0n,
  }
}

function edgeTransaction(random: Random, scene: Scene, edges: ReturnType<typeof edgeCalls>): RecoveredTransaction {
  const { address, privateKey } = random.pick(scene.users)
  const { to, data } = random.pick(edges)()
  const fees = { maxFeePerGas: scene.baseFee, maxPriorityFeePerGas: 1n }
  const body = { nonce: scene.nonceOf(address), gasLimit: EDGE_GAS, value: 0n, to, data, accessList: [] }
  return signTransaction({ type: FEE_MARKET, chainId: scene.chainId, ...fees, ...body }, privateKey)
}

function depositRequest(random: Random, { from, to, mint, value, gasLimit, data }: DepositTransaction) {
  return {
    from: addressToHex(from),
    to: to === null ? null : addressToHex(to),
    mint: toQuantity(mint),
    value: toQuantity(value),
    gas: toQuantity(random.chance(HOPELESS_DEPOSITS) ? HOPELESS_GAS : gasLimit),
    data: bytesToHex(data),
  }
}

type Call = readonly [method: string, ...params: readonly unknown[]]

/** Results in the order of the calls; undefined where the node refused. */
async function batch(url: string, calls: readonly Call[]): Promise<unknown[]> {
  if (calls.length === 0) return []
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answers = (await response.json()) as { id: number; result?: unknown }[]
  return answers.toSorted((a, b) => a.id - b.id).map(({ result }) => result)
}
