import { Failure } from '../../contract/failure.ts'

export type RelayLimits = {
  /** Subscribers in all. */
  total: number
  /** Subscribers of one address. */
  perAddress: number
}

/** Seconds after which a refused client may find a place. */
const RETRY_AFTER_S = 10

type Places = {
  /** Refuses when there is none left; gives the function that frees it. */
  take: (address: string) => () => void
}

export const createPlaces = ({ total, perAddress }: RelayLimits): Places => {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take: (address) => {
      const household = householdOf(address)
      const own = taken.get(household) ?? 0
      if (all >= total) throw full(`All ${total} places of the feed are taken.`)
      if (own >= perAddress) throw full(`One address may have ${perAddress} subscriptions to the feed.`)
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

const full = (message: string) => new Failure('tooManyRequests', message, { retryAfterS: RETRY_AFTER_S })

/** One household has a whole /64 of IPv6. */
const householdOf = (address: string): string =>
  address.includes('.') ? address.replace('::ffff:', '') : address.split(':').slice(0, 4).join(':')
