// Answers that cannot change before the chain does are kept and given again: frozen, so that http/admission/envelope.ts makes their
// bytes once. Requests that come while an answer is being made wait for the same one. Most are asked for only once, and to keep what
// nobody asks for again costs more than to make it: an answer is kept from the second time on.
import { createGenerations } from '../../lib/cache/generations.ts'

export type KeptAnswers = <P extends object, A extends object>(
  name: string,
  params: P,
  version: string,
  make: () => Promise<A>,
) => Promise<A>

export function createKeptAnswers(capacity: number): KeptAnswers {
  let current = createAnswers('', capacity)
  return <P extends object, A extends object>(name: string, params: P, version: string, make: () => Promise<A>) => {
    if (version !== current.version) current = createAnswers(version, capacity)
    return current.answerTo(name + JSON.stringify(params), make) as Promise<A>
  }
}

/** Those to one state of the chain. */
function createAnswers(version: string, capacity: number) {
  // Two generations are there at a time.
  const asked = createGenerations<string, true>(capacity / 2)
  const kept = createGenerations<string, object>(capacity / 2)
  const inTheMaking = new Map<string, Promise<object>>()

  const remember = (key: string, answer: object): void => {
    if (asked.get(key)) kept.set(key, Object.freeze(answer))
    else asked.set(key, true)
  }
  return {
    version,
    answerTo: (key: string, make: () => Promise<object>): object | Promise<object> => {
      const known = kept.get(key) ?? inTheMaking.get(key)
      if (known) return known
      const answer = make()
      inTheMaking.set(key, answer)
      const settle = () => inTheMaking.delete(key)
      // A failure may pass; the next request tries again.
      answer.then((made) => settle() && remember(key, made), settle)
      return answer
    },
  }
}
