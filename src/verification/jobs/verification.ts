// Verification as the explorer uses it: the queue of submissions, verified contracts and proxies as they are now, and the decoder of
// calls, logs and errors.
import type { Abi } from 'viem'
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { Database } from '../../store/engine/database.ts'
import { selectorMeanings } from '../../store/jobs/selectors.ts'
import { verifiedAt, verifiedCode } from '../../store/jobs/verified-contracts.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import {
  type AddressCache,
  type ContractCaches,
  type ContractReader,
  cachedByAddress,
  createAddressCache,
  createContractCaches,
  createContractReader,
  waitForCode,
} from '../proxies/contract-reader.ts'
import { createDecoder, type Decoder } from '../selectors/decode.ts'
import { wellKnownMeanings } from '../selectors/well-known.ts'
import { createVerificationQueue, type QueueRefusal, type VerificationQueue } from './verification-queue.ts'
import { similarContract, type VerifiedContract, verifiedContract } from './verified-contract.ts'

export type Verification = VerificationQueue &
  ContractReader & {
    /** The contract as it was verified, or another one with the same runtime code. */
    readonly contractAt: (address: Hex) => Promise<VerifiedContract | undefined>
    /** The code of a contract that was just created, once a block has it. */
    readonly codeSoonAt: (address: Hex) => Promise<Uint8Array>
    readonly decoder: Decoder
    readonly chainId: () => Promise<number>
  }

/** `abis`: of a contract and its implementations. A page of calls needs those of the same few contracts many times. */
export type VerificationCaches = ContractCaches & { readonly abis: AddressCache<readonly Abi[]> }

export function createVerificationCaches(): VerificationCaches {
  return { ...createContractCaches(), abis: createAddressCache() }
}

export function createVerification(options: {
  readonly database: Database
  readonly node: Pick<Node, 'batch'>
  readonly caches: VerificationCaches
  readonly compileBudgetMs: number
  readonly onAdded: () => void
  readonly onRefused?: (why: QueueRefusal) => void
}): Verification {
  const { database, node, caches, compileBudgetMs, onAdded, onRefused } = options
  const { codeAt, proxyAt } = createContractReader(node, caches)
  const reader: ContractReader = { codeAt: refusing(codeAt), proxyAt: refusing(proxyAt) }

  const contractAt = async (address: Hex): Promise<VerifiedContract | undefined> => {
    const own = await verifiedAt(database, address)
    const { code, codeHash } = await reader.codeAt(address)
    // A contract that destroyed itself stays verified; one that was created in its place is another contract.
    if (own && (code.length === 0 || own.codeHash === codeHash)) return verifiedContract(own)
    const similar = code.length === 0 ? undefined : await verifiedCode(database, codeHash)
    return similar && similarContract(similar, address)
  }

  const abisOf = cachedByAddress(caches.abis, async (address: Hex): Promise<readonly Abi[]> => {
    const [own, proxy] = await Promise.all([contractAt(address), reader.proxyAt(address)])
    const behind = await Promise.all((proxy?.implementations ?? []).slice(0, MAX_FACETS).map(contractAt))
    return [own, ...behind].flatMap((contract) => (contract ? [contract.abi] : []))
  })

  const decoder = createDecoder({
    abisOf,
    meaningsOf: async (kind, selector) => [
      ...new Set([...wellKnownMeanings(kind, selector), ...(await selectorMeanings(database, kind, selector))]),
    ],
  })

  return {
    ...createVerificationQueue({ database, reader, compileBudgetMs, onAdded, onRefused }),
    ...reader,
    contractAt,
    codeSoonAt: (address) => waitForCode(async () => (await reader.codeAt(address)).code, { timeoutMs: CODE_WAIT_MS }),
    decoder,
    chainId: refusing(createChainId(node)),
  }
}

const RETRY_AFTER_S = 5
/** A user waits for the answer. */
const CODE_WAIT_MS = 2_500
/** Facets of a diamond whose ABIs are read to decode one call. */
const MAX_FACETS = 20

/** Maps the error of a node that is away to the refusal `notReady`, after which a client asks again later. */
function refusing<A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) {
  return async (...args: A): Promise<T> => {
    try {
      return await ask(...args)
    } catch (cause) {
      if (!(cause instanceof NodeUnavailable)) throw cause
      const message = `Service temporarily unavailable: ${cause.message}.`
      throw new Failure('notReady', message, { cause, retryAfterS: RETRY_AFTER_S })
    }
  }
}

/** The chain id never changes: the node is asked until it has answered once. */
function createChainId(node: Pick<Node, 'batch'>): () => Promise<number> {
  let chainId: number | undefined
  return async () => {
    if (chainId === undefined) {
      const [answer] = await node.batch([{ method: 'eth_chainId', params: [] }])
      if (answer?.type !== 'result') throw new RpcRefusal('eth_chainId', answer!)
      chainId = Number(answer.result)
    }
    return chainId
  }
}
