// The answers of the Sourcify v2 API, as far as its clients ask: what is verified, a source to be verified, what became of it.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import { standardSubmission } from '../../explorer/verification-submission.ts'
import type { JobResult } from '../../verification/jobs/job-result.ts'
import type { Verification } from '../../verification/jobs/verification.ts'
import type { Job } from '../../verification/jobs/verification-queue.ts'
import type { VerifiedContract } from '../../verification/jobs/verified-contract.ts'
import type { MatchLevel } from '../../verification/matching/verdict.ts'

export type SourcifyAnswer = {
  readonly status: number
  readonly body: object
  readonly retryAfterS?: number | undefined
}

type SentSource = { readonly body: unknown; readonly sender: string }

export type Sourcify = {
  /** `fields`: `all`, or some of them with commas between. */
  contract: (chain: string, address: string, fields: string) => Promise<SourcifyAnswer>
  verify: (chain: string, address: string, source: SentSource) => Promise<SourcifyAnswer>
  job: (id: string) => Promise<SourcifyAnswer>
}

export function createSourcify(verification: Verification): Sourcify {
  const parseLocation = async (chain: string, address: string): Promise<ContractLocation> => {
    const chainId = await verification.chainId()
    if (chain !== String(chainId)) {
      throw new SourcifyRefusal(404, 'unsupported_chain', `This service has chain ${chainId}, not ${chain}.`)
    }
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
      throw new SourcifyRefusal(400, 'invalid_parameter', `${address} is no address.`)
    }
    return { chainId: String(chainId), address: address.toLowerCase() as Hex }
  }
  return {
    contract: answering(async (chain: string, address: string, fields: string) => {
      const location = await parseLocation(chain, address)
      const contract = await verification.contractAt(location.address)
      if (!contract) return { status: 404, body: { ...NO_MATCH, ...location } }
      return { status: 200, body: { ...matchesOf(contract), ...location, ...(await fieldsOf(contract, fields)) } }
    }),
    verify: answering(async (chain: string, address: string, { body, sender }: SentSource) => {
      const location = await parseLocation(chain, address)
      const parsed = request.safeParse(body)
      if (!parsed.success) {
        const { path, message } = parsed.error.issues[0]!
        throw new SourcifyRefusal(400, 'invalid_parameter', path.length > 0 ? `${path.join('.')}: ${message}` : message)
      }
      const { stdJsonInput, compilerVersion, contractIdentifier } = parsed.data
      const submission = standardSubmission(stdJsonInput, {
        contractName: contractIdentifier,
        compilerVersion,
        libraries: [],
        inputParameter: 'stdJsonInput',
      })
      const verificationId = await verification.submitSource(location.address, submission, sender)
      return { status: 202, body: { verificationId } }
    }),
    job: answering(async (id: string) => {
      const job = await verification.job(id.replaceAll('-', ''))
      if (job?.kind !== 'source') throw new SourcifyRefusal(404, 'job_not_found', `There is no job ${id}.`)
      return { status: 200, body: jobBody(job, String(await verification.chainId())) }
    }),
  }
}

type ContractLocation = { readonly chainId: string; readonly address: Hex }

const MAX_NAME_CHARS = 1_000

const request = z.object(
  {
    stdJsonInput: z.record(z.string(), z.unknown(), 'must be a standard JSON input'),
    compilerVersion: z.string('must be a compiler version').min(1).max(100),
    contractIdentifier: z
      .string('must be path:Name')
      .regex(/.:./, 'must be path:Name')
      .max(MAX_NAME_CHARS, `must have at most ${MAX_NAME_CHARS} characters`),
  },
  'The body must be a JSON object of stdJsonInput, compilerVersion and contractIdentifier.',
)

const NO_MATCH = { match: null, creationMatch: null, runtimeMatch: null }

const WORDS: Readonly<Record<MatchLevel | 'similar', string>> = {
  exact: 'exact_match',
  partial: 'match',
  similar: 'match',
}

function matchesOf({ match, runtime, creation, verifiedMs }: VerifiedContract) {
  return {
    match: WORDS[match],
    runtimeMatch: WORDS[runtime],
    creationMatch: creation === null ? null : WORDS[creation],
    verifiedAt: new Date(verifiedMs).toISOString(),
  }
}

async function fieldsOf(contract: VerifiedContract, wanted: string): Promise<object> {
  const { abi, standardInput, metadata, storageLayout, devdoc, userdoc, language, compiler, settings } = contract
  const all: Record<string, unknown> = {
    abi,
    sources: standardInput.sources,
    stdJsonInput: standardInput,
    metadata: metadata === null ? null : JSON.parse(metadata),
    storageLayout,
    devdoc,
    userdoc,
    compilation: {
      language: language === 'vyper' ? 'Vyper' : 'Solidity',
      compiler: language === 'vyper' ? 'vyper' : 'solc',
      compilerVersion: compiler,
      compilerSettings: settings,
      name: contract.contract.name,
      fullyQualifiedName: `${contract.contract.file}:${contract.contract.name}`,
    },
  }
  if (wanted === 'all') return all
  const names = wanted.split(',').filter((name) => Object.hasOwn(all, name))
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

function jobBody({ guid, address, createdMs, endedMs, outcome, queue }: Job, chainId: string): object {
  return {
    isJobCompleted: outcome !== null,
    // Not of Sourcify's own: its clients ignore fields that they do not know.
    ...(queue && { queuePosition: queue.position, queueLength: queue.length }),
    verificationId: guid,
    jobStartTime: new Date(createdMs).toISOString(),
    ...(endedMs !== null && { jobFinishTime: new Date(endedMs).toISOString() }),
    contract: { ...outcomeMatches(outcome, endedMs), chainId, address },
    ...(outcome?.type === 'failed' && {
      error: { customCode: outcome.code, message: outcome.message, errorId: guid, ...outcome.details },
    }),
  }
}

function outcomeMatches(outcome: JobResult | null, endedMs: number | null): object {
  return outcome?.type === 'verified'
    ? {
        match: WORDS[outcome.match],
        runtimeMatch: WORDS[outcome.runtime],
        creationMatch: outcome.creation === null ? null : WORDS[outcome.creation],
        verifiedAt: new Date(endedMs ?? 0).toISOString(),
      }
    : NO_MATCH
}

class SourcifyRefusal extends Error {
  readonly answer: SourcifyAnswer

  constructor(status: number, customCode: string, message: string) {
    super(message)
    this.answer = { status, body: { customCode, message, errorId: randomUUID() } }
  }
}

/** Refusals in this API's form; bugs are left to whoever serves it. */
function answering<A extends readonly unknown[]>(answer: (...args: A) => Promise<SourcifyAnswer>) {
  return async (...args: A): Promise<SourcifyAnswer> => {
    try {
      return await answer(...args)
    } catch (error) {
      if (error instanceof SourcifyRefusal) return error.answer
      if (error instanceof Failure && error.key !== 'internal') return refused(error)
      throw error
    }
  }
}

/** Any refusal of ours as this API spells it. */
export function refused(failure: Failure): SourcifyAnswer {
  const customCode = failure.key === 'parameterWrong' ? 'invalid_parameter' : failure.key
  const { answer } = new SourcifyRefusal(failure.refusal.status, customCode, failure.message)
  return { ...answer, retryAfterS: failure.retryAfterS }
}
