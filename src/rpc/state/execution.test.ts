import { expect, test } from 'vitest'
import type { Misses, StateSource } from '../../evm/state/state-source.ts'
import type { WorldState } from '../../evm/state/world-state.ts'
import type { PendingState } from '../../pending/executor.ts'
import { StateUnavailable } from '../../pending/node-state.ts'
import { createExecutions, runOnBaseState, runOnState } from './execution.ts'
import { recordMisses } from './missing-state.ts'
import { workForTests } from './work-for-tests.ts'

const NOTHING: Misses = { accounts: new Set(), slots: new Map(), codes: new Map(), blockHashes: new Set() }

/** Knows nothing at first; what is fetched becomes known as an account with the address for its balance. */
function createState() {
  const accounts = new Set<bigint>()
  const fetches: bigint[][] = []
  const source: StateSource = {
    account: (address) => (accounts.has(address) ? { nonce: 0n, balance: address, codeHash: 0n } : undefined),
    storage: () => undefined,
    code: () => undefined,
    blockHash: () => undefined,
  }
  const state = {
    source,
    async fetch(misses: Partial<Misses>) {
      fetches.push([...misses.accounts!])
      for (const address of misses.accounts!) accounts.add(address)
    },
  } as unknown as PendingState
  return { state, source, fetches }
}

function context({ callTimeoutMs = 5_000 } = {}) {
  const rpc = { executions: createExecutions(), signal: new AbortController().signal, limits: { callTimeoutMs } }
  return { rpc, work: workForTests() }
}

test('a run that misses nothing gives a value and no promise', () => {
  const { state, fetches } = createState()
  const run = {
    // biome-ignore lint/correctness/useYield: a run that never pauses
    start: function* () {
      return 42
    },
    gasOf: () => 0n,
    missesOf: () => null,
  }
  expect(runOnState(context(), state, run)).toBe(42)
  expect(fetches).toEqual([])
})

test('a run starts again after what it missed was fetched, until nothing is missing', async () => {
  const { state, fetches } = createState()
  const sum = await runOnBaseState(context(), state, function* (source) {
    yield
    const first = source.account(1n)
    // The second address is computed from the first account, as a contract does.
    return first ? first.balance + (source.account(first.balance + 1n)?.balance ?? 0n) : 0n
  })
  expect(sum).toBe(3n)
  expect(fetches).toEqual([[1n], [2n]])
})

test('an error while something is missing is no error of the run', async () => {
  const { state } = createState()
  const run = runOnBaseState(context(), state, function* (source) {
    yield
    const account = source.account(1n)
    if (!account) throw new Error('placeholder state makes no sense')
    return account.balance
  })
  expect(await run).toBe(1n)
})

test('an error of a run that misses nothing is its own', async () => {
  const { state } = createState()
  const run = runOnBaseState(context(), state, function* () {
    yield
    throw new Error('out of luck')
  })
  await expect(run).rejects.toThrow('out of luck')
})

test('a run that never ends is stopped by its timeout, and what was under way is counted down', async () => {
  const { state } = createState()
  const within = context({ callTimeoutMs: 30 })
  const endless = runOnBaseState(within, state, function* () {
    for (;;) yield
  })
  await expect(endless).rejects.toThrow('execution aborted (timeout = 30 ms)')
  expect(within.rpc.executions.underWay.size).toBe(0)
})

test('state that cannot be fetched ends the run with an error of the server', async () => {
  const { state } = createState()
  const broken = {
    ...state,
    fetch: async () => {
      throw new StateUnavailable('pruned')
    },
  }
  const run = runOnBaseState(context(), broken, function* (source) {
    yield
    return source.account(1n)
  })
  await expect(run).rejects.toThrow('the node does not provide the state')
})

test('a source that never learns what it misses ends after 256 rounds', async () => {
  const { source } = createState()
  let rounds = 0
  const stubborn = { source, fetch: async () => void rounds++ }
  const run = runOnBaseState(context(), stubborn, function* () {
    yield
    return source.account(1n)
  })
  expect(await run).toBeUndefined()
  const asking = runOnBaseState(context(), stubborn, function* (recording) {
    yield
    return recording.account(1n)
  })
  await expect(asking).rejects.toThrow('state is still missing after 256 rounds')
  expect(rounds).toBe(256)
})

test('more than 256 runs of one client that wait together are refused with a limit', async () => {
  const { state } = createState()
  const within = context()
  within.rpc.executions.underWay.set('test', 256)
  const run = runOnBaseState(within, state, function* () {
    yield
    return 1
  })
  await expect(run).rejects.toMatchObject({ code: -32005 })
  expect([...within.rpc.executions.underWay]).toEqual([['test', 256]])
})

test('calls on the same state use the same world one after the other, and not at the same time', () => {
  const { state } = createState()
  const within = context()
  const worlds: WorldState[] = []
  const run = {
    // biome-ignore lint/correctness/useYield: a run that never pauses
    start: function* (world: WorldState) {
      worlds.push(world)
      return 0
    },
    gasOf: () => 0n,
    missesOf: () => null,
  }
  runOnState(within, state, run)
  runOnState(within, state, run)
  expect(worlds[1]).toBe(worlds[0])
  const nested = {
    ...run,
    // biome-ignore lint/correctness/useYield: a run that never pauses
    start: function* (world: WorldState) {
      worlds.push(world)
      runOnState(within, state, run)
      return 0
    },
  }
  runOnState(within, state, nested)
  expect(worlds[3]).not.toBe(worlds[2])
})

test('at most sixteen idle worlds stay, the least recently used goes first', () => {
  const within = context()
  const run = {
    // biome-ignore lint/correctness/useYield: a run that never pauses
    start: function* () {
      return 0
    },
    gasOf: () => 0n,
    missesOf: () => null,
  }
  const states = Array.from({ length: 17 }, () => createState())
  for (const { state } of states) runOnState(within, state, run)
  expect(within.rpc.executions.idleWorlds.size).toBe(16)
  expect(within.rpc.executions.idleWorlds.has(states[0]!.source)).toBe(false)
  expect(within.rpc.executions.idleWorlds.has(states[16]!.source)).toBe(true)
})

test('a recording source gives what is known and lists what is not, each once', () => {
  const recording = recordMisses({
    account: (address) => (address === 1n ? null : undefined),
    storage: (_, slot) => (slot === 0n ? 0n : undefined),
    code: () => undefined,
    blockHash: (number) => (number === 5 ? 55n : undefined),
  })
  expect(recording.misses()).toBeNull()
  const { source } = recording
  expect([source.account(1n), source.storage(1n, 0n), source.blockHash(5)]).toEqual([null, 0n, 55n])
  expect(recording.misses()).toBeNull()
  source.account(2n)
  source.account(2n)
  source.storage(1n, 7n)
  source.storage(1n, 8n)
  source.code(2n, 9n)
  source.blockHash(6)
  expect(recording.misses()).toEqual({
    ...NOTHING,
    accounts: new Set([2n]),
    slots: new Map([[1n, new Set([7n, 8n])]]),
    codes: new Map([[2n, 9n]]),
    blockHashes: new Set([6]),
  })
})
