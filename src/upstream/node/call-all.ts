// Many calls of any kind through the pool. Each answer is stored as soon as it arrives, and only the missing ones are asked for again.

import { PassingRefusal, type UpstreamError } from './failures.ts'
import { type Answer, inParts, isPassing, type RpcCall } from './json-rpc.ts'
import { attempt, type Pool } from './pool.ts'

/** Answers in the order of the calls. */
export async function askAll(pool: Pool, calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly Answer[]> {
  const answers = new Array<Answer | undefined>(calls.length).fill(undefined)
  const refusals = new Array<number>(calls.length).fill(0)
  await attempt(pool, signal, async (endpoint, progressed) => {
    const open = calls.keys().filter((index) => answers[index] === undefined)
    const size = Math.floor(endpoint.pace.batch)
    const parts = inParts([...open], size).map(async (indices) => {
      const own = await endpoint.exchange(
        indices.map((index) => calls[index]!),
        signal,
      )
      let problem: UpstreamError | undefined
      for (const [at, answer] of own.entries()) {
        if (answer.type === 'refused' && isPassing(answer) && ++refusals[indices[at]!]! < REFUSALS_TO_BELIEVE) {
          problem ??= new PassingRefusal(`${calls[indices[at]!]!.method}: ${answer.message}`)
        } else {
          answers[indices[at]!] = answer
          progressed()
        }
      }
      if (problem !== undefined) throw problem
    })
    const failed = (await Promise.allSettled(parts)).find((part) => part.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  })
  return answers as Answer[]
}

/** After this many refusals of the kind "not now" the refusal is final. */
const REFUSALS_TO_BELIEVE = 6
