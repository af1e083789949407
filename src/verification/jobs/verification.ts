// What the explorer knows of verification: the desk for submissions, verified contracts and proxies as they are now, and calls in
// words.
import type { Abi } from 'viem'
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { Database } from '../../store/engine/database.ts'
import { selectorMeanings } from '../../store/jobs/selectors.ts'
import { verifiedAt, verifiedCode } from '../../store/jobs/verified-contracts.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import { type ContractReader, codeSoon, createContractReader, keptFor } from '../proxies/contract-reader.ts'
import { createDecoder, type Decoder } from '../selectors/decode.ts'
import { wellKnownMeanings } from '../selectors/well-known.ts'
import { createJobDesk, type JobDesk } from './submissions.ts'
import { similarContract, type VerifiedContract, verifiedContract } from './verified-contract.ts'

export type Verification = JobDesk &
  ContractReader & {
    /** As verified itself, or by another contract with the same runtime code. */
    readonly contractAt: (address: Hex) => Promise<VerifiedContract | undefined>
    /** The code of a contract that somebody just created, once a block has it. */
    readonly codeSoonAt: (address: Hex) => Promise<Uint8Array>
    readonly decoder: Decoder
    readonly chainId: () => Promise<number>
  }

export function createVerification(options: {
  readonly database: Database
  readonly node: Pick<Node, 'batch'>
  readonly onAdded: () => void
}): Verification {
  const { database, node, onAdded } = options
  const { codeAt, proxyAt } = createContractReader(node)
  const reader: ContractReader = { codeAt: refusing(codeAt), proxyAt: refusing(proxyAt) }

  const contractAt = async (address: Hex): Promise<VerifiedContract | undefined> => {
    const own = await verifiedAt(database, address)
    const { code, codeHash } = await reader.codeAt(address)
    // What destroyed itself stays what it was; what was put in its place is another contract.
    if (own && (code.length === 0 || own.codeHash === codeHash)) return verifiedContract(own)
    const similar = code.length === 0 ? undefined : await verifiedCode(database, codeHash)
    return similar && similarContract(similar, address)
  }

  // A page of calls asks for the same few contracts again and again, and their sources are long.
  const abisOf = keptFor(async (address: Hex): Promise<readonly Abi[]> => {
    const [own, proxy] = await Promise.all([contractAt(address), reader.proxyAt(address)])
    const behind = await Promise.all((proxy?.implementations ?? []).slice(0, MOST_FACETS).map(contractAt))
    return [own, ...behind].flatMap((contract) => (contract ? [contract.abi] : []))
  })

  const decoder = createDecoder({
    abisOf,
    meaningsOf: async (kind, selector) => [
      ...new Set([...wellKnownMeanings(kind, selector), ...(await selectorMeanings(database, kind, selector))]),
    ],
  })

  return {
    ...createJobDesk({ database, reader, onAdded }),
    ...reader,
    contractAt,
    codeSoonAt: (address) => codeSoon(async () => (await reader.codeAt(address)).code, { withinMs: CODE_WITHIN_MS }),
    decoder,
    chainId: refusing(createChainId(node)),
  }
}

const RETRY_AFTER_S = 5
/** Somebody waits for the answer. */
const CODE_WITHIN_MS = 2_500

/** For whoever waits for an answer: a node that is away is a reason to ask again later. */
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

/** It never changes: asked until it was answered once. */
function createChainId(node: Pick<Node, 'batch'>): () => Promise<number> {
  let known: number | undefined
  return async () => {
    if (known === undefined) {
      const [answer] = await node.batch([{ method: 'eth_chainId', params: [] }])
      if (answer?.type !== 'result') throw new RpcRefusal('eth_chainId', answer!)
      known = Number(answer.result)
    }
    return known
  }
}

/** Facets of a diamond whose ABIs are read to decode one call. */
const MOST_FACETS = 20
