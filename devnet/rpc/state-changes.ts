// Every account that a transaction changed, before and after. Unlike geth's prestateTracer in diff mode it has those too that the code
// does not name, such as the vaults that receive fees. The transaction runs on its own layer above the state.
import { addressToHex, bytesToHex, EMPTY_BYTES, toQuantity, wordToHex } from '../../src/chain/bytes/hex.ts'
import type { PausableRun } from '../../src/evm/core/pausable-run.ts'
import { EMPTY_CODE_HASH } from '../../src/evm/state/code.ts'
import type { Account, StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import type { Prestate, PrestateAccount, PrestateDiff } from '../../src/evm/tracers/prestate-view.ts'

/** `run` executes the transaction on the world that it receives. */
export function* stateChanges(
  source: StateSource,
  run: (world: WorldState) => PausableRun<unknown>,
): PausableRun<PrestateDiff> {
  const world = new WorldState(source)
  yield* run(world)
  const changes = world.takeChanges()
  const pre: Prestate = {}
  const post: Prestate = {}
  for (const address of new Set([...changes.accounts.keys(), ...changes.slots.keys()])) {
    const before = source.account(address) ?? null
    const changed = changes.accounts.get(address)
    const slots = [...(changes.slots.get(address)?.keys() ?? [])]
    if (before !== null) pre[addressToHex(address)] = describe(source, address, before, slots)
    if (changed !== null) post[addressToHex(address)] = describeChange(changes, address, before)
  }
  return { pre, post }
}

function describe(source: StateSource, address: bigint, account: Account, slots: Iterable<bigint>): PrestateAccount {
  const described: PrestateAccount = { balance: toQuantity(account.balance) }
  if (account.nonce !== 0n) described.nonce = Number(account.nonce)
  if (account.codeHash !== EMPTY_CODE_HASH) {
    const code = source.code(address, account.codeHash)
    if (code !== undefined) described.code = bytesToHex(code.bytes)
    described.codeHash = wordToHex(account.codeHash)
  }
  const storage = [...slots].map((slot) => [wordToHex(slot), wordToHex(source.storage(address, slot) ?? 0n)])
  if (storage.length > 0) described.storage = Object.fromEntries(storage)
  return described
}

/** Only what differs from before. A slot that became zero is omitted, as in geth. */
function describeChange(changes: StateChanges, address: bigint, before: Account | null): PrestateAccount {
  const change: PrestateAccount = {}
  const after = changes.accounts.get(address)
  if (after) {
    if (after.balance !== (before?.balance ?? 0n)) change.balance = toQuantity(after.balance)
    if (after.nonce !== (before?.nonce ?? 0n)) change.nonce = Number(after.nonce)
    if (after.codeHash !== (before?.codeHash ?? EMPTY_CODE_HASH)) {
      change.code = bytesToHex(changes.codes.get(after.codeHash)?.bytes ?? EMPTY_BYTES)
      change.codeHash = wordToHex(after.codeHash)
    }
  }
  const storage = [...(changes.slots.get(address) ?? [])]
    .filter(([, value]) => value !== 0n)
    .map(([slot, value]) => [wordToHex(slot), wordToHex(value)])
  if (storage.length > 0) change.storage = Object.fromEntries(storage)
  return change
}
