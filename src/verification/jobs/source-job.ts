// One job: fetch the code, have the source compiled and compared, keep what was proved.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../../store/engine/database.ts'
import { addSelectors } from '../../store/jobs/selectors.ts'
import type { JobRow } from '../../store/jobs/verification-jobs.ts'
import { writeVerified } from '../../store/jobs/verified-contracts.ts'
import { contractsAmong } from '../../store/read/contracts.ts'
import { chainState } from '../../store/read/head.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { Submission } from '../input/submission.ts'
import { type ContractReader, codeSoon } from '../proxies/contract-reader.ts'
import { signaturesIn } from '../selectors/abi-item.ts'
import type { Stage, Verifier } from '../verify.ts'
import { chainCodeOf, codeAt } from './chain-code.ts'
import { failed } from './job-result.ts'
import type { JobResult, JobWork } from './runner.ts'
import { verifiedRow } from './verified-contract.ts'

/** A contract of this very block is indexed a moment later. */
const INDEX_WAIT_MS = 15_000
const INDEX_LOOK_MS = 250
/** Some blocks of a chain that takes its time. */
const CODE_WITHIN_MS = 5_000

export type SourceJobOptions = {
  readonly verifier: Pick<Verifier, 'verify'>
  readonly node: Pick<Node, 'call' | 'head'>
  readonly queries: Queries
  readonly reader: Pick<ContractReader, 'proxyAt'>
  /** For tests: how long code is waited for. */
  readonly codeWithinMs?: number
}

export function createSourceWork(options: SourceJobOptions): JobWork {
  const { verifier, node, queries, codeWithinMs = CODE_WITHIN_MS } = options
  return async (job, { stage, signal }): Promise<JobResult> => {
    const submission = JSON.parse(job.payload) as Submission
    stage('fetching the code on chain')
    const code = await codeSoon(() => codeAt(node, job.address, signal), { withinMs: codeWithinMs, signal })
    if (code.length > 0) await untilIndexed(options, job, signal)
    const chain = await chainCodeOf({ node, queries }, job.address, signal)
    if (!chain) {
      return { outcome: failed('contract_not_deployed', `There is no contract at ${job.address} on this chain.`) }
    }
    const verdict = await verifier.verify(submission, chain, { onStage: (each) => stage(stageText(each)), signal })
    if (verdict.type === 'failure') {
      const hint = verdict.code === 'no_match' ? await proxyHint(options, job) : ''
      return { outcome: failed(verdict.code, verdict.message + hint, verdict.details) }
    }
    const { match, runtime, creation, contract, abi } = verdict
    return {
      outcome: { type: 'verified', match, runtime, creation, contract: `${contract.file}:${contract.name}` },
      write: async (inTransaction) => {
        const row = verifiedRow(verdict, { chain, submission, guid: job.guid, nowMs: Date.now() })
        await writeVerified(inTransaction, row)
        await addSelectors(inTransaction, signaturesIn(abi))
      },
    }
  }
}

/** Where the contract is not in the index yet, waits until the index is where the node is now. */
async function untilIndexed({ node, queries }: SourceJobOptions, { address }: JobRow, signal: AbortSignal) {
  if ((await contractsAmong(queries, [address])).has(address)) return
  const { height } = await node.head(signal)
  const giveUpMs = Date.now() + INDEX_WAIT_MS
  while (Date.now() < giveUpMs && ((await chainState(queries)).head?.height ?? -1) < height) {
    await sleep(INDEX_LOOK_MS, undefined, { signal })
  }
}

/** People submit the source of what stands behind a proxy for the proxy itself. Where the node cannot tell, the reason stands alone. */
async function proxyHint({ reader }: SourceJobOptions, { address }: JobRow): Promise<string> {
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

// One job of another kind: is this a proxy, and of what was expected?

export type ProxyPayload = { readonly expectedImplementation: Hex | null }

export function createProxyWork({ proxyAt }: Pick<ContractReader, 'proxyAt'>): JobWork {
  return async ({ address, payload }, { stage }) => {
    const { expectedImplementation } = JSON.parse(payload) as ProxyPayload
    stage('looking for an implementation')
    const proxy = await proxyAt(address)
    if (!proxy) {
      const message = 'A corresponding implementation contract was unfortunately not detected for the proxy address.'
      return { outcome: failed('not_a_proxy', message) }
    }
    const { kind, implementation, implementations } = proxy
    if (expectedImplementation !== null && !implementations.includes(expectedImplementation)) {
      const message = `The proxy's (${address}) implementation contract is found at ${implementation}, not at ${expectedImplementation} as expected.`
      return { outcome: failed('other_implementation', message) }
    }
    return { outcome: { type: 'proxy', kind, implementation: expectedImplementation ?? implementation } }
  }
}
