// The work of one request or batch: its turns on the shared thread, and the balance of the client that pays for it.
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import { TIME_SLICE_MS, type Turns } from './turns.ts'
import { balanceSpent, UNITS_PER_CALL, UNITS_PER_MS, type WorkBalance } from './work-balances.ts'

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
