// Chains add fields to their headers. What we cannot hash is recognised by the names of the fields: once one header of a shape has
// hashed to its own hash, no other of that shape is excused. Only a shape that never did, and whose blocks link to each other by the
// hashes that the node reports, counts as foreign: this is logged once, and its blocks pass all checks but that of the hash.
import { toQuantity } from '../../chain/bytes/hex.ts'
import type { Log } from '../../lib/log.ts'
import { type HeaderMismatch, shapeOf } from './check-block.ts'
import type { Endpoint } from './endpoint.ts'
import type { Answer } from './json-rpc.ts'

export class HeaderShapes {
  readonly #known = new Set<string>()
  readonly #strange = new Set<string>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  isStrange(shape: string): boolean {
    return this.#strange.has(shape)
  }

  /** A block of this shape has passed the check. */
  confirm(block: unknown): void {
    const shape = shapeOf(block)
    if (!this.#strange.has(shape)) this.#known.add(shape)
  }

  /** Asks for the neighbours of a block whose header does not hash; they say whether its hash is the chain's. */
  async examine(mismatch: HeaderMismatch, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    const { height } = mismatch
    if (this.#isSettled(mismatch.shape)) return
    const at = [height - 1, height, height + 1].filter((each) => each >= 0)
    const calls = at.map((each) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(each), false] }))
    const answers = await endpoint.exchange(calls, signal)
    const [before, block, after] = height === 0 ? [null, ...answers.map(linkOf)] : answers.map(linkOf)
    // Others may have asked meanwhile.
    if (this.#isSettled(mismatch.shape) || block?.hash !== mismatch.hash) return
    // At the head there is no child to ask; a first block of a chain has no parent.
    const isLinked = (!before || before.hash === block.parentHash) && (!after || after.parentHash === block.hash)
    if (!isLinked || (!before && !after)) return
    this.#strange.add(mismatch.shape)
    this.#log.warn(
      { height, hash: mismatch.hash, fields: mismatch.shape },
      'the headers of this chain have a shape that we cannot hash: they are checked by everything else',
    )
  }

  #isSettled(shape: string): boolean {
    return this.#known.has(shape) || this.#strange.has(shape)
  }
}

type BlockLink = { readonly hash?: unknown; readonly parentHash?: unknown }

function linkOf(answer: Answer): BlockLink | null {
  return answer.type === 'result' && typeof answer.result === 'object' ? answer.result : null
}
