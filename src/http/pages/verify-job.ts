import type { VerifyJob } from '../../../web/pages/verify-job.tsx'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'

export async function pageJob(
  { answers }: { answers: Pick<PageAnswers, 'contracts'> },
  guid: string,
): Promise<VerifyJob | undefined> {
  const found = await answers.contracts.job(guid)
  if (!found) return undefined
  const { job, stages } = found
  return {
    guid: job.guid,
    address: job.address,
    isProxy: job.kind === 'proxy',
    createdMs: job.createdMs,
    endedMs: job.endedMs,
    attempts: job.attempts,
    stages,
    outcome: job.outcome,
  }
}
