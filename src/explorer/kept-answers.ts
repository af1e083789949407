// Answers that cannot change before the chain does are kept and given again: frozen, so that http/envelope.ts makes their
// bytes once. Requests that come while an answer is being made wait for the same one.
import { createLru } from '../lib/lru.ts'

export type KeptAnswers = <P extends object, A extends object>(
  name: string,
  params: P,
  version: string,
  make: () => Promise<A>,
) => Promise<A>

export const createKeptAnswers = (capacity: number): KeptAnswers => {
  let current = ''
  let kept = createLru<string, Promise<object>>(capacity)
  return <P extends object, A extends object>(name: string, params: P, version: string, make: () => Promise<A>) => {
    if (version !== current) {
      current = version
      kept = createLru(capacity)
    }
    const key = name + JSON.stringify(params)
    const known = kept.get(key)
    if (known) return known as Promise<A>
    const answers = kept
    const answer = make().then(Object.freeze) as Promise<A>
    answers.set(key, answer)
    // A failure may pass; the next request tries again.
    answer.catch(() => answers.delete(key))
    return answer
  }
}
