// The content of /status, and the reasons that /ready gives.
import type { OperatorView } from '../http/api/operator.ts'
import { unlessAborted } from '../lib/async/wait.ts'
import { type ClockWatch, clockWarning, monotonicMs } from '../lib/clock.ts'
import type { PendingStatus, Unproven } from '../rpc/server/status.ts'
import { gapsIn } from '../store/chain/ranges.ts'
import type { Database, Writer } from '../store/engine/database.ts'
import { type BlockStamp, chainState, rangesStored } from '../store/read/chain-state.ts'
import { version } from './context.ts'
import { type DatabaseWatch, outdatedText } from './database-watch.ts'
import type { Indexer } from './indexer-part.ts'
import type { Ledger } from './ledger-part.ts'
import { askNode } from './node-check.ts'
import type { NodeWatch } from './node-part.ts'
import type { Config } from './options.ts'
import type { Pending } from './pending-part.ts'
import type { Replica } from './replica-part.ts'
import type { QueueState, SandboxState } from './verification-part.ts'

/**
 * A process whose index is further behind the node's head, in both, is not ready. Blocks alone say little, because a chain may make five in a
 * second; time alone says little of a chain that makes a block an hour.
 */
const MAX_LAG_BLOCKS = 10
const MAX_LAG_MS = 10_000
/** /ready and /status do not wait longer for the database. */
const SLOW_MS = 5_000

export function operatorView(options: {
  config: Config
  database: Database
  databaseWatch: DatabaseWatch
  clock: ClockWatch
  replica: Replica | undefined
  indexer: Indexer | undefined
  pending: Pending | undefined
  ledger: Ledger
  node: NodeWatch | undefined
  /** What compilers run in; undefined without the role `verifier`. */
  sandbox: (() => SandboxState | null) | undefined
  /** Undefined without a node. */
  verificationQueue: (() => QueueState | undefined) | undefined
  stopping: AbortSignal
}): OperatorView {
  const { config, database, databaseWatch, clock, replica, indexer, pending, ledger, node, stopping } = options
  const startedMs = performance.now()
  const chainId = createChainId(config.RPC_URL?.[0])

  const stored = async () => {
    const unknown = (problem: string) => ({ state: undefined, gaps: [], outdated: null, problem })
    const problem = databaseWatch.problem()
    if (problem !== null) return unknown(problem)
    const slow = AbortSignal.timeout(SLOW_MS)
    try {
      const gaps = gapsIn(await unlessAborted(rangesStored(database), slow), config.START_BLOCK)
      const outdated = await unlessAborted(outdatedText(database), slow)
      return { state: await unlessAborted(chainState(database), slow), gaps, outdated, problem: null }
    } catch (error) {
      return unknown(slow.aborted ? `no answer for ${SLOW_MS / 1000} s` : (error as Error).message)
    }
  }
  /** By the times of the blocks. */
  const lagOf = (indexed: BlockStamp | undefined): { blocks: number; ms: number } | null => {
    const { head = null, headMs = null } = indexer?.progress() ?? {}
    if (head === null || headMs === null || indexed === undefined) return null
    return { blocks: Math.max(0, head - indexed.height), ms: Math.max(0, headMs - indexed.timestampMs) }
  }

  const databaseProblems = async () => {
    if (!needsIndex(config) && !config.RPC_KEYS_REQUIRED) return []
    const { state, gaps, outdated, problem } = await stored()
    if (!state) return [`the database does not answer: ${problem}`]
    if (!needsIndex(config)) return []
    const indexed = state.head?.height ?? null
    const lag = lagOf(state.head)
    const isBehind = lag !== null && lag.blocks > MAX_LAG_BLOCKS && lag.ms > MAX_LAG_MS
    return [
      indexed === null && 'no block is indexed yet',
      isBehind &&
        `the index is ${lag.blocks} blocks behind the node, ${Math.round(lag.ms / 1000)} s of the chain’s time`,
      ...gaps.map(({ from, to }) => `blocks ${from} to ${to} are not indexed yet: lists and balances are incomplete`),
      outdated,
      derivationProblem(indexer),
      indexer?.progress().trouble,
      databaseWatch.diskProblem(),
      stoppedWriter(indexer),
    ]
  }

  return {
    notReadyReasons: async () => {
      if (stopping.aborted) return ['stopping']
      const reasons = [
        config.RPC_URL === undefined && 'no node: RPC_URL is not set',
        ...(node?.problems() ?? []),
        ...(await databaseProblems()),
        ...pendingProblems(config, pending),
      ]
      return reasons.filter((reason) => typeof reason === 'string')
    },
    warnings: () => [
      ...pendingWarnings(pending),
      ...replicaWarnings(replica),
      ...databaseWatch.warnings(),
      ...writerWarnings(indexer),
      ...[clockWarning(clock.status())].filter((warning) => warning !== null),
    ],
    status: async () => {
      const { state, gaps, outdated, problem } = await stored()
      const progress = indexer?.progress()
      const indexed = state?.head?.height ?? null
      const lag = lagOf(state?.head)
      const preconfirmations = pending?.status() ?? null
      return {
        version,
        pid: process.pid,
        node: process.version,
        uptimeS: Math.floor((performance.now() - startedMs) / 1000),
        chain: { shortName: config.CHAIN_SHORT_NAME, fullName: config.CHAIN_FULL_NAME, chainId: await chainId() },
        roles: config.ROLES,
        heights: {
          preconfirmed: preconfirmations?.preconfirmed ?? null,
          latest: preconfirmations?.canonical ?? progress?.head ?? null,
          safe: state?.safe ?? null,
          finalized: state?.finalized ?? null,
          indexed,
        },
        lags: { indexedBlocks: lag?.blocks ?? null, indexedMs: lag?.ms ?? null, feedAgeMs: ageMsOf(preconfirmations) },
        /** For each URL of the node: whether it can be relied on, and how long ago it answered. */
        nodes: node?.status() ?? [],
        index: progress ? { ...progress, trouble: progress.trouble ?? node?.problems()[0] ?? null } : null,
        /** Below the highest indexed block. */
        gaps,
        /** What an older version of the program derived, and how far it is derived again; null where all is current. */
        outdated,
        preconfirmations: preconfirmations && {
          ...preconfirmations,
          advancedMs: wallTimeOf(preconfirmations),
          subscribers: pending!.hub.subscribers,
        },
        /** Of the last hour. */
        preconfirmationQuality: preconfirmations && ledger.figures(),
        /** What compilers run in; null without the role `verifier`. */
        compilerSandbox: options.sandbox?.() ?? null,
        /** Of all processes together; null where it is not known. */
        verificationQueue: options.verificationQueue?.() ?? null,
        database: {
          engine: database.engine,
          trouble: problem,
          answerAgeMs: databaseWatch.answerAgeMs(),
          ...databaseWatch.status(),
          replica: replica?.status() ?? null,
        },
        /** Whether the wall clock was set; durations do not depend on it. */
        clock: clock.status(),
      }
    },
  }
}

/** Why what an older version derived cannot be derived again. */
function derivationProblem(indexer: Indexer | undefined): string | null {
  const { problem = null, from } = indexer?.progress().derivation ?? {}
  return problem === null ? null : `block ${from} cannot be derived again: ${problem}`
}

/** JSON-RPC and the feed do not need the index. */
function needsIndex({ ROLES }: Config): boolean {
  return ROLES.some((role) => role !== 'rpc' && role !== 'relay')
}

function ageMsOf(status: PendingStatus | null): number | null {
  const { advancedMs = null } = status ?? {}
  return advancedMs === null ? null : Math.max(0, Math.round(monotonicMs() - advancedMs))
}

function wallTimeOf(status: PendingStatus): number | null {
  const ageMs = ageMsOf(status)
  return ageMs === null ? null : Date.now() - ageMs
}

/** Why `pending` is not ahead of `latest`, where Flashblocks are enabled. */
function pendingProblems({ FLASHBLOCKS_ENABLED }: Config, pending: Pending | undefined): string[] {
  const status = pending?.status()
  if (!FLASHBLOCKS_ENABLED || !pending) return []
  if (!status?.feed) return ['the pending chain has not started yet']
  const ageMs = ageMsOf(status)
  const isConnected = status.feed.upstreams.some((upstream) => upstream.isConnected)
  return [
    !isConnected && `the feed is not connected: ${status.feed.upstreams.map(({ trouble }) => trouble).join('; ')}`,
    status.isStale &&
      `the feed is stale: ${ageMs === null ? 'no flashblock has arrived yet' : `no new flashblock for ${ageMs} ms`}`,
    status.unproven?.isServed === false &&
      `${unprovenHashes(status.unproven)}: these flashblocks are refused for some blocks, then served unproven`,
    // After a step back the node answers for state, and its answers are right: this is a notice in /status and no reason to be unready.
    status.executorTrouble !== null &&
      !status.reproduction.isSteppedBack &&
      `pending state is not available: ${status.executorTrouble}`,
  ].filter((reason) => typeof reason === 'string')
}

/** It renews its lock every 2.5 s. On PostgreSQL a waiting process takes over after 10 s; on SQLite nobody can. */
const RENEWAL_LATE_MS = 5_000
const WRITER_STOPPED_MS = 15_000

function writerWarnings(indexer: Indexer | undefined): string[] {
  const { writer = null } = indexer?.progress() ?? {}
  if (writer === null || writer.renewalAgeMs < RENEWAL_LATE_MS) return []
  return [`the process that writes the index (${writer.holder}) has not renewed its lock for ${secondsOf(writer)} s`]
}

function stoppedWriter(indexer: Indexer | undefined): string | null {
  const { writer = null } = indexer?.progress() ?? {}
  if (writer === null || writer.renewalAgeMs < WRITER_STOPPED_MS) return null
  return `the index is not written: ${writer.holder} has the writer lock and has not renewed it for ${secondsOf(writer)} s; stop it if it hangs`
}

function secondsOf({ renewalAgeMs }: Writer): number {
  return Math.round(renewalAgeMs / 1000)
}

/** The primary answers in its place. */
function replicaWarnings(replica: Replica | undefined): string[] {
  const problem = replica?.status().problem ?? null
  return problem === null ? [] : [`the replica (DATABASE_READ_URL) is not used, and DATABASE_URL answers: ${problem}`]
}

/** What is served although nothing proves it, what the node must answer instead of us, and who was caught lying. */
function pendingWarnings(pending: Pending | undefined): string[] {
  const status = pending?.status()
  if (!status) return []
  const { unproven, reproduction, feed } = status
  const undecoded = feed?.upstreams.find(({ lastUndecoded }) => isRecent(lastUndecoded?.atMs))?.lastUndecoded
  const unreadable = feed?.upstreams.find(({ lastUnreadable }) => isRecent(lastUnreadable?.atMs))?.lastUnreadable
  return [
    unproven?.isServed && `${unprovenHashes(unproven)}: flashblocks are served unproven`,
    reproduction.isSteppedBack &&
      reproduction.first !== null &&
      `block ${reproduction.first.height} cannot be reproduced (${reproduction.first.reason}): the node answers for pending state`,
    unreadable && `flashblocks cannot be read (${unreadable.reason}): they are neither served nor passed on`,
    undecoded &&
      `block ${undecoded.height} has a transaction of a type that is not known: its flashblocks from there on are passed on, but not served`,
    ...(feed?.upstreams ?? []).map(
      ({ url, disproved, isDistrusted }) =>
        isDistrusted &&
        `upstream ${url} sent flashblocks that sealed blocks contradict (${disproved} judged so far): it is not followed while another one delivers`,
    ),
    typeof feed?.disputed === 'number' &&
      `upstreams contradict each other about block ${feed.disputed}: what is served of it is what came first, and may not be sealed so`,
  ].filter((warning) => typeof warning === 'string')
}

function isRecent(atMs: number | undefined): boolean {
  return atMs !== undefined && Math.abs(Date.now() - atMs) < RECENT_MS
}

const RECENT_MS = 60_000

function unprovenHashes({ fromHeight }: Unproven): string {
  return `the hashes of flashblocks cannot be recomputed since block ${fromHeight}`
}

/** The id of a chain never changes, so the node is asked until it has answered once. */
function createChainId(url: string | undefined): () => Promise<number | null> {
  let cached: number | undefined
  return async () => {
    if (url) cached ??= await askNode(url, 'eth_chainId').then(Number, () => undefined)
    return cached ?? null
  }
}
