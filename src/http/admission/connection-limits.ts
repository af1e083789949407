import { Failure } from '../../contract/failure.ts'
import { addressGroup } from './admission.ts'

export type ConnectionLimits = {
  total: number
  perAddress: number
}

const RETRY_AFTER_S = 10

export type ConnectionLimit = {
  /** Refuses above the limit; returns the function that releases the connection. */
  take: (address: string) => () => void
}

/** `what` names the connections in refusals, in the plural. */
export function createConnectionLimit({ total, perAddress }: ConnectionLimits, what: string): ConnectionLimit {
  const open = new Map<string, number>()
  let all = 0
  return {
    take: (address) => {
      const group = addressGroup(address)
      const own = open.get(group) ?? 0
      if (all >= total) throw full(`All ${total} ${what} are in use.`)
      if (own >= perAddress) throw full(`One address may have ${perAddress} ${what}.`)
      open.set(group, own + 1)
      all++
      return () => {
        all--
        const left = open.get(group)! - 1
        if (left === 0) open.delete(group)
        else open.set(group, left)
      }
    },
  }
}

function full(message: string) {
  return new Failure('tooManyRequests', message, { retryAfterS: RETRY_AFTER_S })
}
