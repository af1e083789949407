// Loads the chain from its folder, or starts a new one. Whenever the last process was killed, the result is a valid chain: all blocks
// of the log except a last one that was cut short, and the state that they lead to.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import type { Log } from '../../src/lib/log.ts'
import { BlockStore } from './block-store.ts'
import { decodeHead, decodeStateChanges } from './chain-record.ts'
import { createGenesis, type Genesis, trieOf } from './genesis-block.ts'
import type { Protocol, ProtocolOptions } from './protocol.ts'
import { createMemoryLog, DamagedRecord, followRecordLog, openRecordLog, type RecordLog } from './record-log.ts'
import { readSnapshot, type Snapshot, snapshotsIn } from './snapshot.ts'
import { StateHistory } from './state-history.ts'

export type LoadedChain = {
  readonly records: RecordLog
  readonly blocks: BlockStore
  readonly history: StateHistory
  readonly trie: StateTrie
}

export type Loading = {
  readonly protocol: Protocol
  /** Null keeps everything in memory. */
  readonly folder: string | null
  /** For the first block of a new chain. */
  readonly timestamp: number
  readonly log: Log
}

/** This chain cannot continue from what is in the folder. The message is for the user. */
export class UnusableChain extends Error {
  override readonly name = 'UnusableChain'
}

export function loadChain({ protocol, folder, timestamp, log }: Loading): LoadedChain {
  if (folder === null) {
    const genesis = createGenesis(protocol, timestamp)
    return replay({ protocol, genesis, records: createMemoryLog(), pickSnapshot: () => null })
  }
  mkdirSync(folder, { recursive: true })
  const genesis = genesisOf(folder, protocol, timestamp)
  const records = openRecordLog(join(folder, LOG_FILE))
  try {
    const tornBytes = records.cutTornTail()
    if (tornBytes > 0) log.warn({ tornBytes }, 'the last record of the devnet chain was cut short and is left out')
    const pickSnapshot = (blocks: BlockStore) => usefulSnapshot({ folder, protocol, log }, blocks)
    const loaded = replay({ protocol, genesis, records, pickSnapshot })
    log.info({ folder, head: loaded.blocks.headNumber }, 'devnet chain loaded')
    return loaded
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error
    throw new UnusableChain(`The chain in ${folder} is damaged (${error.message}). Start with --reset to forget it.`)
  }
}

/** How to load the chain in another thread. Plain data. */
export type ReplicaStart = {
  readonly protocol: ProtocolOptions
  readonly folder: string | null
  readonly timestamp: number
  /** Records of the log from this position on will be given to the replica. */
  readonly end: number
}

/** As `loadChain` loaded it. The log is only read. */
export function loadReplica(start: ReplicaStart, protocol: Protocol, log: Log): LoadedChain {
  const { folder, timestamp, end } = start
  if (folder === null) {
    if (end > 0) throw new Error('A chain in memory has no log that a replica could load its blocks from')
    return loadChain({ protocol, folder, timestamp, log })
  }
  const genesis = genesisOf(folder, protocol, timestamp)
  const records = followRecordLog(join(folder, LOG_FILE), end)
  const pickSnapshot = (blocks: BlockStore) => usefulSnapshot({ folder, protocol, log }, blocks)
  return replay({ protocol, genesis, records, pickSnapshot })
}

const LOG_FILE = 'blocks.log'

type Manifest = { readonly version: 1; readonly genesisTimestamp: number; readonly genesisHash: Hex }

/** The hash of block 0 depends on everything that must not change: chain id, seed, fork, contracts, accounts. */
function genesisOf(folder: string, protocol: Protocol, timestamp: number): Genesis {
  const file = join(folder, 'chain.json')
  if (!existsSync(file)) {
    const genesis = createGenesis(protocol, timestamp)
    const manifest: Manifest = { version: 1, genesisTimestamp: timestamp, genesisHash: genesis.block.hash }
    writeFileSync(`${file}.unfinished`, `${JSON.stringify(manifest, null, 2)}\n`)
    renameSync(`${file}.unfinished`, file)
    return genesis
  }
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const genesis = createGenesis(protocol, manifest.genesisTimestamp)
  if (manifest.version === 1 && manifest.genesisHash === genesis.block.hash) return genesis
  throw new UnusableChain(
    `The chain in ${folder} began with another chain id, seed, fork, set of contracts or rules of its own. Start with --reset to forget it.`,
  )
}

type Replaying = {
  readonly protocol: Protocol
  readonly genesis: Genesis
  readonly records: RecordLog
  /** Null: begin with the genesis. */
  readonly pickSnapshot: (blocks: BlockStore) => Snapshot | null
}

function replay({ protocol, genesis, records, pickSnapshot }: Replaying): LoadedChain {
  const blocks = new BlockStore(protocol, records, genesis.block)
  for (const { head, position } of records.records(0)) blocks.enter(decodeHead(head), position)
  const snapshot = pickSnapshot(blocks) ?? { state: genesis.state, from: 0, number: 0, wholeFrom: 0 }
  const history = new StateHistory({
    latest: snapshot.state,
    head: snapshot.number,
    hashOf: (number) => blocks.hashOf(number),
    programs: protocol.programs,
    maxBlocks: protocol.historyBlocks,
  })
  for (const { head: bytes, position } of records.records(snapshot.from)) {
    // Until here the state mixes parts of different ages, so the history cannot go back beyond this point.
    if (position <= snapshot.wholeFrom) history.forgetHistory()
    const head = decodeHead(bytes)
    const changes = decodeStateChanges(records.bodyAt(position))
    if (head.type === 'block') history.append(changes)
    else history.rewind(head.number, changes)
  }
  const trie = trieOf(history.latest)
  const { stateRoot } = blocks.byNumber(blocks.headNumber)!.header
  if (bytesToHex(trie.root) !== stateRoot) throw new DamagedRecord('the state does not fit the last block')
  return { records, blocks, history, trie }
}

/** A snapshot that was complete early enough for the whole state history to be rebuilt from it. */
function usefulSnapshot(
  { folder, protocol, log }: { folder: string; protocol: Protocol; log: Log },
  blocks: BlockStore,
): Snapshot | null {
  const latestUseful = blocks.headNumber - 2 * protocol.historyBlocks
  if (latestUseful <= 0) return null
  for (const snapshot of snapshotsIn(folder)) {
    if (snapshot.from > blocks.positionOf(latestUseful)) continue
    try {
      return readSnapshot(snapshot)
    } catch (error) {
      // While a replica loads, the chain may write a newer one and delete this one.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      if (!(error instanceof DamagedRecord)) throw error
      log.warn({ error }, 'a snapshot of the devnet state is damaged and is passed over')
    }
  }
  return null
}
