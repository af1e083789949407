// The work of one verification job. A source: read the code on chain, verify the submission against it, store what was proved. A
// proxy: find its implementation and compare it with the expected one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../../store/engine/database.ts'
import { addSelectors } from '../../store/jobs/selectors.ts'
import type { JobRow } from '../../store/jobs/verification-jobs.ts'
import { writeVerified } from '../../store/jobs/verified-contracts.ts'
import { chainState } from '../../store/read/chain-state.ts'
import { contractsAmong } from '../../store/read/contracts.ts'
import type { Node } from '../../upstream/node/node.ts'
import { type Highlighter, storeShapes } from '../highlight/highlighter.ts'
import type { Submission } from '../input/submission.ts'
import { type ContractReader, waitForCode } from '../proxies/contract-reader.ts'
import { selectorsInAbi } from '../selectors/abi-selectors.ts'
import type { Stage, Verifier } from '../verify.ts'
import { chainCodeOf, codeAt } from './chain-code.ts'
import { failedJob } from './job-result.ts'
import type { FinishedWork, JobWork } from './runner.ts'
import { verifiedRow } from './verified-contract.ts'

/** A contract of the newest block may not be indexed yet. */
const INDEX_WAIT_MS = 15_000
const INDEX_POLL_MS = 250
/** A few blocks of a slow chain. */
const CODE_WAIT_MS = 5_000

export type JobWorkParts = {
  readonly verifier: Pick<Verifier, 'verify'>
  readonly node: Pick<Node, 'call' | 'head'>
  readonly queries: Queries
  readonly reader: Pick<ContractReader, 'proxyAt'>
  readonly highlighter: Pick<Highlighter, 'shapeOf'>
  /** How long to wait for the code of a contract; tests make it short. */
  readonly codeWaitMs?: number
}

export function createJobWork(parts: JobWorkParts): JobWork {
  const workOn: Readonly<Record<JobRow['kind'], JobWork>> = {
    source: createSourceWork(parts),
    proxy: createProxyWork(parts.reader),
  }
  return (job, context) => workOn[job.kind](job, context)
}

function createSourceWork(parts: JobWorkParts): JobWork {
  const { verifier, node, queries, highlighter, codeWaitMs = CODE_WAIT_MS } = parts
  return async (job, { stage, signal, timer, whileFetching }): Promise<FinishedWork> => {
    const submission = JSON.parse(job.payload) as Submission
    stage('fetching the code on chain')
    const code = await waitForCode(() => codeAt(node, job.address, signal), { timeoutMs: codeWaitMs, signal })
    if (code.length > 0) await waitUntilIndexed(parts, job, signal)
    const chain = await chainCodeOf({ node, queries }, job.address, signal)
    if (!chain) {
      return { result: failedJob('contract_not_deployed', `There is no contract at ${job.address} on this chain.`) }
    }
    const onStage = (each: Stage) => stage(stageText(each))
    const verdict = await verifier.verify(submission, chain, { onStage, signal, timer, whileFetching })
    if (verdict.type === 'failure') {
      const hint = verdict.code === 'no_match' ? await proxyHint(parts, job) : ''
      return { result: failedJob(verdict.code, verdict.message + hint, verdict.details) }
    }
    await storeShapes({ queries, highlighter }, submission, signal)
    const { match, runtime, creation, contract, abi } = verdict
    return {
      result: { type: 'verified', match, runtime, creation, contract: `${contract.file}:${contract.name}` },
      write: async (transaction) => {
        const row = verifiedRow(verdict, { chain, submission, guid: job.guid, nowMs: Date.now() })
        await writeVerified(transaction, row)
        await addSelectors(transaction, selectorsInAbi(abi))
      },
    }
  }
}

/** Where the contract is not indexed yet, waits until the index has reached the node's head of now. */
async function waitUntilIndexed({ node, queries }: JobWorkParts, { address }: JobRow, signal: AbortSignal) {
  if ((await contractsAmong(queries, [address])).has(address)) return
  const { height } = await node.head(signal)
  const deadlineMs = performance.now() + INDEX_WAIT_MS
  while (performance.now() < deadlineMs && ((await chainState(queries)).head?.height ?? -1) < height) {
    await sleep(INDEX_POLL_MS, undefined, { signal })
  }
}

/** Users submit the source of an implementation for the address of its proxy. The hint is left out where the node fails. */
async function proxyHint({ reader }: JobWorkParts, { address }: JobRow): Promise<string> {
  const proxy = await reader.proxyAt(address).catch(() => undefined)
  if (!proxy) return ''
  return ` This address is a proxy of ${proxy.implementation}: if that is the contract whose source this is, submit it for that address.`
}

function stageText(stage: Stage): string {
  switch (stage.type) {
    case 'fetchingCompiler':
      return `fetching the compiler ${stage.compiler}`
    case 'compiling':
      return `compiling with ${stage.compiler}`
    case 'matching':
      return `comparing with ${stage.contract}`
    case 'explaining':
      return 'looking for the reason'
  }
}

export type ProxyPayload = { readonly expectedImplementation: Hex | null }

/** The sentences are those of Etherscan, which clients show as they are. */
function createProxyWork({ proxyAt }: Pick<ContractReader, 'proxyAt'>): JobWork {
  return async ({ address, payload }, { stage }) => {
    const { expectedImplementation } = JSON.parse(payload) as ProxyPayload
    stage('looking for an implementation')
    const proxy = await proxyAt(address)
    if (!proxy) {
      const message = 'A corresponding implementation contract was unfortunately not detected for the proxy address.'
      return { result: failedJob('not_a_proxy', message) }
    }
    const { kind, implementation, implementations } = proxy
    if (expectedImplementation !== null && !implementations.includes(expectedImplementation)) {
      const message = `The proxy's (${address}) implementation contract is found at ${implementation}, not at ${expectedImplementation} as expected.`
      return { result: failedJob('other_implementation', message) }
    }
    return { result: { type: 'proxy', kind, implementation: expectedImplementation ?? implementation } }
  }
}
