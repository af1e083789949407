// E15 and its sisters: sources and proxies to be verified, and what became of them. E16: what is verified.
import type { Hex } from '../chain/bytes/hex.ts'
import type { EndpointName, Handlers } from '../contract/endpoints.ts'
import { Failure } from '../contract/failure.ts'
import type { Verification } from '../verification/jobs/verification.ts'
import type { Job } from '../verification/jobs/verification-queue.ts'
import { verifiedContractRecord } from './records/verified-contract-record.ts'
import { type AnswerTo, chainNow, type ExplorerOptions, verificationOf } from './state/chain-now.ts'
import { submissionFromParams } from './verification-submission.ts'

const verifySourceCode: AnswerTo<'verifySourceCode'> = async (now, params) => {
  const submission = submissionFromParams(params)
  return { data: [await verificationOf(now).submitSource(params.contractAddress as Hex, submission)] }
}

const checkVerifyResult: AnswerTo<'checkVerifyResult'> = async (now, { guid }) => {
  const { outcome } = await jobOf(verificationOf(now), 'source', guid)
  if (outcome === null) return { data: ['Pending'] }
  return outcome.type === 'failed' ? { data: ['Fail'], msg: outcome.message } : { data: ['Success'] }
}

const verifyProxyContract: AnswerTo<'verifyProxyContract'> = async (now, params) => {
  const expectedImplementation = (params.expectedImplementation as Hex | undefined) ?? null
  return {
    data: [await verificationOf(now).submitProxy(params.proxyContractAddress as Hex, { expectedImplementation })],
  }
}

const checkProxyVerifyResult: AnswerTo<'checkProxyVerifyResult'> = async (now, { guid }) => ({
  data: [],
  msg: proxyResultOf(await jobOf(verificationOf(now), 'proxy', guid)),
})

const verifyContractInfo: AnswerTo<'verifyContractInfo'> = async (now, { contractAddress }) => {
  const address = contractAddress as Hex
  const verification = verificationOf(now)
  const contract = await verification.contractAt(address)
  return { data: contract ? [verifiedContractRecord(contract, await verification.proxyAt(address))] : [] }
}

/** The sentence that clients show. */
export function proxyResultOf({ address, outcome }: Job): string {
  if (outcome === null) return 'The proxy is being looked at. Please ask again.'
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

/** Never kept: jobs and proxies change without a block. */
function current(options: ExplorerOptions) {
  return <N extends EndpointName>(answer: AnswerTo<N>): Handlers[N] => {
    const handler = async (params: Parameters<AnswerTo<N>>[1]) => answer((await chainNow(options)).now, params)
    return handler as unknown as Handlers[N]
  }
}

export function createVerificationHandlers(options: ExplorerOptions) {
  const handled = current(options)
  return {
    verifySourceCode: handled(verifySourceCode),
    checkVerifyResult: handled(checkVerifyResult),
    verifyProxyContract: handled(verifyProxyContract),
    checkProxyVerifyResult: handled(checkProxyVerifyResult),
    verifyContractInfo: handled(verifyContractInfo),
  } satisfies Partial<Handlers>
}
