import { Failure } from '../../contract/failure.ts'
import { addressGroup } from '../admission/address-group.ts'

export type ConnectionLimits = {
  /** Subscribers in all. */
  total: number
  /** Subscribers of one address. */
  perAddress: number
}

/** Seconds after which a refused client may find a place. */
const RETRY_AFTER_S = 10

type ConnectionLimit = {
  /** Refuses when there is none left; gives the function that frees it. */
  take: (address: string) => () => void
}

/** `what` the places are, in the plural. */
export function createConnectionLimit({ total, perAddress }: ConnectionLimits, what: string): ConnectionLimit {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take: (address) => {
      const household = addressGroup(address)
      const own = taken.get(household) ?? 0
      if (all >= total) throw full(`All ${total} ${what} are taken.`)
      if (own >= perAddress) throw full(`One address may have ${perAddress} ${what}.`)
      taken.set(household, own + 1)
      all++
      return () => {
        all--
        const left = taken.get(household)! - 1
        if (left === 0) taken.delete(household)
        else taken.set(household, left)
      }
    },
  }
}

function full(message: string) {
  return new Failure('tooManyRequests', message, { retryAfterS: RETRY_AFTER_S })
}
