// geth's prestateTracer: the part of the state that a transaction read, as it was before; in diff mode, what it changed. The transaction
// runs on its own layer above a source that records the reads.
import { addressToHex, bytesToHex, EMPTY_BYTES, type Hex, toQuantity, wordToHex } from '../../chain/bytes/hex.ts'
import { EMPTY_CODE_HASH } from '../state/code.ts'
import type { Account, StateChanges, StateSource } from '../state/state-source.ts'
import { WorldState } from '../state/world-state.ts'

export type Prestate = Record<Hex, PrestateAccount>
export type PrestateAccount = { balance?: Hex; nonce?: number; code?: Hex; codeHash?: Hex; storage?: Record<Hex, Hex> }
export type PrestateDiff = { readonly pre: Prestate; readonly post: Prestate }

/** `run` executes the transaction on the world that it receives. */
export function tracePrestate(source: StateSource, run: (world: WorldState) => void): Prestate {
  const { reads } = runRecordingReads(source, run)
  return Object.fromEntries(
    [...reads].flatMap(([address, slots]) => {
      const account = source.account(address)
      return account ? [[addressToHex(address), describe(source, address, account, slots)]] : []
    }),
  )
}

export function tracePrestateDiff(source: StateSource, run: (world: WorldState) => void): PrestateDiff {
  const { changes } = runRecordingReads(source, run)
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

function runRecordingReads(source: StateSource, run: (world: WorldState) => void) {
  const reads = new Map<bigint, Set<bigint>>()
  const world = new WorldState({
    account(address) {
      if (!reads.has(address)) reads.set(address, new Set())
      return source.account(address)
    },
    storage(address, slot) {
      reads.get(address)?.add(slot)
      return source.storage(address, slot)
    },
    code: (address, codeHash) => source.code(address, codeHash),
    blockHash: (number) => source.blockHash(number),
  })
  run(world)
  return { reads, changes: world.takeChanges() }
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
