// Compares a block of anvil with the same block of our engine.
import { isDeepStrictEqual } from 'node:util'
import { addressToHex, bytesToHex, type Hex, toQuantity, wordToHex } from '../../../src/chain/bytes/hex.ts'
import type { StateChanges } from '../../../src/evm/state/state-source.ts'
import type { ParityTrace } from '../../../src/evm/tracers/parity-trace.ts'
import type { Anvil, RpcCall } from './anvil.ts'
import type { Executed, OurBlock } from './random-chain.ts'

export async function differencesOfBlock(anvil: Anvil, number: number, ours: OurBlock): Promise<string[]> {
  const receipts = await anvil.call<TheirReceipt[]>('eth_getBlockReceipts', toQuantity(number))
  const traces = await anvil.call<TheirTrace[]>('trace_block', toQuantity(number))
  return [
    ...differencesOfReceipts(receipts, ours.executed),
    ...differencesOfTraces(traces, ours.executed),
    ...(await differencesOfState(anvil, ours.changes)),
  ]
}

type TheirReceipt = {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly contractAddress: Hex | null
  readonly logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[]
}

type TheirTrace = ParityTrace & { readonly transactionHash: Hex }

function differencesOfReceipts(receipts: readonly TheirReceipt[], executed: readonly Executed[]): string[] {
  let cumulativeGasUsed = 0n
  const ours = executed.map(({ recovered, result }) => {
    cumulativeGasUsed += result.gasUsed
    return {
      hash: recovered.hash,
      status: result.succeeded ? '0x1' : '0x0',
      gasUsed: toQuantity(result.gasUsed),
      cumulativeGasUsed: toQuantity(cumulativeGasUsed),
      effectiveGasPrice: toQuantity(result.effectiveGasPrice),
      contractAddress:
        result.succeeded && result.contractAddress !== null ? addressToHex(result.contractAddress) : null,
      logs: result.logs.map(({ address, topics, data }) => ({
        address: addressToHex(address),
        topics: topics.map(wordToHex),
        data: bytesToHex(data),
      })),
    }
  })
  const theirs = receipts.map((receipt) => ({
    hash: receipt.transactionHash,
    status: receipt.status,
    gasUsed: receipt.gasUsed,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    effectiveGasPrice: receipt.effectiveGasPrice,
    contractAddress: receipt.status === '0x1' ? (receipt.contractAddress?.toLowerCase() ?? null) : null,
    logs: receipt.logs.map(({ address, topics, data }) => ({ address: address.toLowerCase(), topics, data })),
  }))
  const missing = ours.length === theirs.length ? [] : [`we executed ${ours.length}, anvil mined ${theirs.length}`]
  return [...missing, ...ours.flatMap((each, index) => difference(`receipt of ${each.hash}`, each, theirs[index]))]
}

/** Words of errors differ between nodes, and so does what a failed call shows as its result; that it failed does not. */
function differencesOfTraces(traces: readonly TheirTrace[], executed: readonly Executed[]): string[] {
  const comparable = ({ type, action, result, error, subtraces, traceAddress }: ParityTrace) => ({
    type,
    action: comparableAction(action),
    result: error === undefined ? result : null,
    failed: error !== undefined,
    subtraces,
    traceAddress,
  })
  return executed.flatMap(({ recovered, traces: ours }) => {
    const theirs = traces.filter(({ transactionHash }) => transactionHash === recovered.hash)
    const first = ours.findIndex(
      (each, index) => !isDeepStrictEqual(comparable(each), theirs[index] && comparable(theirs[index])),
    )
    if (first === -1) return difference(`number of traces of ${recovered.hash}`, ours.length, theirs.length)
    const [left, right] = [ours[first]!, theirs[first]]
    return difference(`trace ${left.traceAddress} of ${recovered.hash}`, comparable(left), right && comparable(right))
  })
}

/** anvil gives zeros for a contract that destructs in favour of itself. */
function comparableAction(action: ParityTrace['action']): ParityTrace['action'] {
  const isOwnHeir = action.address !== undefined && action.address === action.refundAddress
  return isOwnHeir ? { address: NOBODY, balance: '0x0', refundAddress: NOBODY } : action
}

const NOBODY = addressToHex(0n)

async function differencesOfState(anvil: Anvil, { accounts, slots }: StateChanges): Promise<string[]> {
  const questions: { readonly about: string; readonly call: RpcCall; readonly expected: string }[] = []
  for (const [address, account] of accounts) {
    const hex = addressToHex(address)
    const { balance = 0n, nonce = 0n } = account ?? {}
    questions.push(
      { about: `balance of ${hex}`, call: ['eth_getBalance', hex, 'latest'], expected: toQuantity(balance) },
      { about: `nonce of ${hex}`, call: ['eth_getTransactionCount', hex, 'latest'], expected: toQuantity(nonce) },
    )
  }
  for (const [address, values] of slots) {
    const hex = addressToHex(address)
    for (const [slot, value] of values) {
      const call = ['eth_getStorageAt', hex, toQuantity(slot), 'latest'] as const
      questions.push({ about: `slot ${slot} of ${hex}`, call, expected: wordToHex(value) })
    }
  }
  const answers = await anvil.batch(questions.map(({ call }) => call))
  return questions.flatMap(({ about, expected }, index) => difference(about, expected, answers[index]))
}

function difference(about: string, ours: unknown, theirs: unknown): string[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  return [`${about}\n  ours:  ${JSON.stringify(ours)}\n  anvil: ${JSON.stringify(theirs)}`]
}
