// One job: fetch the code, have the source compiled and compared, keep what was proved.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries } from '../../store/database.ts'
import { contractsAmong } from '../../store/read/contracts.ts'
import { chainState } from '../../store/read/head.ts'
import { addSignatures } from '../../store/signatures-table.ts'
import { writeVerified } from '../../store/verification-contracts.ts'
import type { JobRow } from '../../store/verification-jobs.ts'
import type { Node } from '../../upstream/node.ts'
import { signaturesIn } from '../signatures/signature.ts'
import type { Submission } from '../submission.ts'
import type { Stage, Verifier } from '../verify.ts'
import { chainCodeOf } from './chain-code.ts'
import { failed } from './outcome.ts'
import type { JobResult, JobWork } from './runner.ts'
import { verifiedRow } from './verified-contract.ts'

/** A contract of this very block is indexed a moment later. */
const INDEX_WAIT_MS = 15_000
const INDEX_LOOK_MS = 250

export type SourceJobOptions = {
  readonly verifier: Pick<Verifier, 'verify'>
  readonly node: Pick<Node, 'call' | 'head'>
  readonly queries: Queries
}

export const createSourceWork = (options: SourceJobOptions): JobWork => {
  const { verifier, node, queries } = options
  return async (job, { stage, signal }): Promise<JobResult> => {
    const submission = JSON.parse(job.payload) as Submission
    stage('fetching the code on chain')
    await untilIndexed(options, job, signal)
    const chain = await chainCodeOf({ node, queries }, job.address, signal)
    if (!chain) {
      return { outcome: failed('contract_not_deployed', `There is no contract at ${job.address}.`) }
    }
    const verdict = await verifier.verify(submission, chain, { onStage: (each) => stage(stageText(each)), signal })
    if (verdict.type === 'failure') return { outcome: failed(verdict.code, verdict.message, verdict.details) }
    const { match, runtime, creation, contract, abi } = verdict
    return {
      outcome: { type: 'verified', match, runtime, creation, contract: `${contract.file}:${contract.name}` },
      write: async (inTransaction) => {
        const row = verifiedRow(verdict, { chain, submission, guid: job.guid, nowMs: Date.now() })
        await writeVerified(inTransaction, row)
        await addSignatures(inTransaction, signaturesIn(abi))
      },
    }
  }
}

/** Where the contract is not in the index yet, waits until the index is where the node is now. */
const untilIndexed = async ({ node, queries }: SourceJobOptions, { address }: JobRow, signal: AbortSignal) => {
  if ((await contractsAmong(queries, [address])).has(address)) return
  const { height } = await node.head(signal)
  const giveUpMs = Date.now() + INDEX_WAIT_MS
  while (Date.now() < giveUpMs && ((await chainState(queries)).head?.height ?? -1) < height) {
    await sleep(INDEX_LOOK_MS, undefined, { signal })
  }
}

const stageText = (stage: Stage): string => {
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
