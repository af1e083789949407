// What a client may make this thread do: a balance of work units for each client, refilled every second. A unit is one gas; time, bytes and
// calls to the node are converted to it. Work is charged while it is done, and a client whose balance is spent is refused until it has
// something again. Balances belong to one process. The work of one request or batch has its turns on the shared thread and the balance of the
// client that pays for it.
import { LRUCache } from 'lru-cache'
import { TIME_SLICE_MS, type Turns } from '../../lib/async/turns.ts'
import { JsonRpcError, limitExceeded } from '../../lib/json/json-rpc.ts'
import { type Bucket, type BucketRule, fullBucket, refilled, secondsUntil } from '../../lib/numbers/token-bucket.ts'

/** Code that takes longer than its gas says is charged by its time. */
export const UNITS_PER_MS = 50_000
/** Of a request, an answer or a subscriber event. */
export const UNITS_PER_BYTE = 10
/** Reading a request and finding its method. */
export const UNITS_PER_CALL = 5_000
export const UNITS_PER_NODE_CALL = 50_000

/** When there are more clients than this, the oldest balances are dropped and start full again. */
const MAX_CLIENTS = 100_000

export type WorkBalance = {
  /** The balance may become negative: what was done must be paid for before more is done. */
  charge(units: number): void
  isSpent(): boolean
  /** Undefined without a limit. */
  left(): WorkLeft | undefined
}

/** For the headers of an answer. */
export type WorkLeft = { readonly limit: number; readonly remaining: number; readonly resetS: number }

export type WorkBalances = { of(client: string): WorkBalance }

export function createWorkBalances(rule: BucketRule | null, nowMs: () => number): WorkBalances {
  if (rule === null) return { of: () => UNLIMITED }
  const balances = new LRUCache<string, WorkBalance>({ max: MAX_CLIENTS })
  return {
    of(client) {
      const known = balances.get(client)
      if (known) return known
      const balance = createBalance(rule, nowMs)
      balances.set(client, balance)
      return balance
    },
  }
}

function createBalance(rule: BucketRule, nowMs: () => number): WorkBalance {
  let bucket: Bucket = fullBucket(rule, nowMs())
  return {
    charge(units) {
      bucket.tokens -= units
    },
    isSpent() {
      if (bucket.tokens > 0) return false
      bucket = refilled(bucket, rule, nowMs())
      return bucket.tokens <= 0
    },
    left() {
      bucket = refilled(bucket, rule, nowMs())
      return {
        limit: rule.burst,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
        resetS: secondsUntil(bucket, rule, rule.burst),
      }
    },
  }
}

const UNLIMITED: WorkBalance = {
  charge: () => undefined,
  isSpent: () => false,
  left: () => undefined,
}

export function balanceSpent(balance: WorkBalance) {
  const left = balance.left()
  return limitExceeded(
    `the work balance of this client is spent; it is back at ${left?.limit} units of gas in ${left?.resetS} s`,
  )
}

/** Who sent a request. */
export type Caller = {
  /** The key, or the group of the address: all requests with one name share turns and balance. */
  readonly client: string
  /** True when nobody waits for the answer any more. */
  isGone(): boolean
}

export type RequestWork = {
  readonly client: string
  /**
   * Before every call of the request. Undefined: go on now; calls behind one that waits keep their order. Throws, or rejects, if the
   * balance is spent or the caller is gone.
   */
  beginCall(): Promise<void> | undefined
  /** In a long run, after each time slice. Rejects as `beginCall` does. */
  endSlice(): Promise<void>
  charge(units: number): void
}

export function createRequestWork(
  caller: Caller,
  { turns, balance }: { turns: Turns; balance: WorkBalance },
): RequestWork {
  const { client } = caller
  let last: Promise<void> | undefined

  const check = (): void => {
    if (caller.isGone()) throw new CallerGone()
    if (balance.isSpent()) throw balanceSpent(balance)
  }
  const waitForTurn = async (): Promise<void> => {
    if (turns.isUsedUp()) await turns.toBegin(client)
    check()
  }

  return {
    client,
    beginCall() {
      balance.charge(UNITS_PER_CALL)
      if (last === undefined && !turns.isUsedUp()) return void check()
      last = last === undefined ? waitForTurn() : last.then(waitForTurn)
      return last
    },
    async endSlice() {
      balance.charge(TIME_SLICE_MS * UNITS_PER_MS)
      check()
      await turns.toGoOn(client)
      check()
    },
    charge: balance.charge,
  }
}

/** Nobody receives it. */
class CallerGone extends JsonRpcError {
  constructor() {
    super(-32000, 'the client closed the connection')
  }
}
