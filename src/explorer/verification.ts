// E15 and its sisters: submissions of sources and proxies, and the results of their jobs. E16: verified contracts.
import type { Handlers, RequestContext } from '../contract/endpoints.ts'
import { Failure } from '../contract/failure.ts'
import type { Verification } from '../verification/jobs/verification.ts'
import { type Job, progressOf } from '../verification/jobs/verification-queue.ts'
import { verifiedContractRecord } from './records/verified-contract-record.ts'
import {
  type AnswerTo,
  type ChainContext,
  type ExplorerOptions,
  openChain,
  verificationOf,
} from './state/chain-context.ts'
import { submissionFromParams } from './verification-submission.ts'

/** A submission counts for the client that sent it. */
type SubmissionTo<N extends 'verifySourceCode' | 'verifyProxyContract'> = (
  ...args: [...Parameters<AnswerTo<N>>, RequestContext]
) => ReturnType<AnswerTo<N>>

const verifySourceCode: SubmissionTo<'verifySourceCode'> = async (chain, params, { client }) => {
  const submission = submissionFromParams(params)
  return { data: [await verificationOf(chain).submitSource(params.contractAddress, submission, client)] }
}

const checkVerifyResult: AnswerTo<'checkVerifyResult'> = async (chain, { guid }) => {
  const job = await jobOf(verificationOf(chain), 'source', guid)
  const { outcome } = job
  if (outcome === null) return { data: ['Pending'], msg: progressOf(job) }
  return outcome.type === 'failed' ? { data: ['Fail'], msg: outcome.message } : { data: ['Success'] }
}

const verifyProxyContract: SubmissionTo<'verifyProxyContract'> = async (chain, params, { client }) => {
  const expectedImplementation = params.expectedImplementation ?? null
  return {
    data: [await verificationOf(chain).submitProxy(params.proxyContractAddress, { expectedImplementation }, client)],
  }
}

const checkProxyVerifyResult: AnswerTo<'checkProxyVerifyResult'> = async (chain, { guid }) => ({
  data: [],
  msg: proxyResultOf(await jobOf(verificationOf(chain), 'proxy', guid)),
})

const verifyContractInfo: AnswerTo<'verifyContractInfo'> = async (chain, { contractAddress: address }) => {
  const verification = verificationOf(chain)
  const contract = await verification.contractAt(address)
  return { data: contract ? [verifiedContractRecord(contract, await verification.proxyAt(address))] : [] }
}

/** Clients show this sentence to their users. */
export function proxyResultOf(job: Job): string {
  const { address, outcome } = job
  if (outcome === null) return `The proxy is being looked at. Please ask again. ${progressOf(job)}`.trimEnd()
  if (outcome.type === 'failed') return outcome.message
  const implementation = outcome.type === 'proxy' ? outcome.implementation : ''
  return `The proxy's (${address}) implementation contract is found at ${implementation} and is successfully updated.`
}

export async function jobOf({ job }: Verification, kind: Job['kind'], guid: string): Promise<Job> {
  const found = await job(guid)
  if (found?.kind === kind) return found
  const reason = found ? `it is of the verification of a ${found.kind}, not of a ${kind}` : 'there is no such job'
  throw new Failure('parameterWrong', `Parameter guid error: ${reason}.`)
}

export function createVerificationHandlers(options: ExplorerOptions) {
  /** Jobs and proxies change without a block, so these handlers have no `begin`. */
  const uncached =
    <P, A>(answer: (chain: ChainContext, params: P, context: RequestContext) => Promise<A>) =>
    async (params: P, context: RequestContext) =>
      answer((await openChain(options)).chain, params, context)
  return {
    verifySourceCode: uncached(verifySourceCode),
    checkVerifyResult: uncached(checkVerifyResult),
    verifyProxyContract: uncached(verifyProxyContract),
    checkProxyVerifyResult: uncached(checkProxyVerifyResult),
    verifyContractInfo: uncached(verifyContractInfo),
  } satisfies Partial<Handlers>
}
