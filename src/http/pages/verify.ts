// Verification in the browser: a plain form, and a page for the job. The form calls the same endpoint as the API, with the same rules.
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VerifyForm } from '../../../web/pages/verify.tsx'
import type { VerifyJob } from '../../../web/pages/verify-job.tsx'
import { paramsFrom } from '../../contract/endpoint.ts'
import { endpoints, type Handlers } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import { type Admission, isCrossSite, parseForm } from '../admission/admission.ts'
import { failureOf } from '../admission/failures.ts'
import { LazyRequestContext, withinTime } from '../admission/request-context.ts'
import type { Pages } from './pages.ts'

/** Room for a source of ten megabytes after its encoding as a form. */
const MAX_FORM_BYTES = 15_000_000
/** A longer source is not sent back with a refusal, nor is any other field that is longer than the second number. */
const MAX_ECHO_SOURCE_CHARS = 200_000
const MAX_ECHO_CHARS = 10_000
/** Of a line that is quoted in a refusal. */
const MAX_QUOTE_CHARS = 100

export type VerifyRouteOptions = {
  readonly handlers: Pick<Handlers, 'verifySourceCode'>
  readonly answers: Pick<PageAnswers, 'contracts'>
  readonly chainShortName: string
  readonly admission: Pick<Admission, 'limitAddress'>
  /** Where the API takes no sources without a key, the form does not either. */
  readonly isOpen: boolean
  readonly pages: Pick<Pages, 'show' | 'showFailure'>
}

export function addVerifyRoutes(app: FastifyInstance, options: VerifyRouteOptions): void {
  const { handlers, answers, chainShortName, admission, isOpen, pages } = options

  const showForm = async (request: FastifyRequest, reply: FastifyReply, form: VerifyForm, problem?: Failure) => {
    if (problem?.retryAfterS !== undefined) reply.header('retry-after', problem.retryAfterS)
    reply.status(problem ? Math.max(400, problem.refusal.status) : 200)
    return pages.show(request, reply, {
      page: 'verify',
      data: {
        ...echoOf(form, problem),
        compilers: await answers.contracts.solidityReleases(),
        evmVersions: endpoints.verifySourceCode.params.shape.evmVersion.unwrap().options,
      },
    })
  }

  app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: MAX_FORM_BYTES, parser: parseForm })
    scope.setErrorHandler((error, request, reply) => pages.showFailure(request, reply, failureOf(error, request.id)))
    const shared = { onRequest: admission.limitAddress, config: { label: 'page' } }

    scope.get('/verify', shared, async (request, reply) => {
      const { address } = request.query as { address?: unknown }
      const contractAddress = typeof address === 'string' && /^0x[0-9a-fA-F]{40}$/.test(address) ? address : ''
      return showForm(request, reply, { ...BLANK, contractAddress })
    })
    scope.post('/verify', { ...shared, bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
      if (isCrossSite(request)) throw new Failure('parameterWrong', 'This form was sent from another site.')
      const form = formOf(request.body)
      if (!isOpen) {
        const message = 'This server accepts source code only with an API key: use the API.'
        return showForm(request, reply, form, new Failure('keyMissing', message))
      }
      const context = new LazyRequestContext(request)
      try {
        const params = paramsFrom(endpoints.verifySourceCode, paramsOf(form, chainShortName))
        const answer = await withinTime(Promise.resolve(handlers.verifySourceCode(params, context)), context)
        return reply.redirect(`/verify/${answer.data[0]}`, 303)
      } catch (error) {
        const failure = failureOf(error, request.id)
        if (failure.key === 'internal') throw error
        return showForm(request, reply, form, failure)
      }
    })
    scope.get<{ Params: { guid: string } }>('/verify/:guid', shared, async (request, reply) => {
      const job = await pageJob({ answers }, request.params.guid.toLowerCase().replaceAll('-', ''))
      if (!job) throw new Failure('unknownPath', 'There is no such verification. Old ones are deleted.')
      return pages.show(request, reply, { page: 'verifyJob', data: { job } })
    })
  })
}

/** The form as it is shown again, and the problem with it. */
function echoOf(form: VerifyForm, problem: Failure | undefined): { form: VerifyForm; problem: string | undefined } {
  if (!problem) return { form, problem: undefined }
  const fields = Object.entries(form).map(([name, value]) => {
    const limit = name === 'sourceCode' ? MAX_ECHO_SOURCE_CHARS : MAX_ECHO_CHARS
    return [name, value.length > limit ? '' : value]
  })
  const echo = Object.fromEntries(fields) as VerifyForm
  const lost =
    echo.sourceCode === form.sourceCode ? '' : ' The source code is too long to be sent back: paste it again.'
  return { form: echo, problem: `${problem.message}${lost}` }
}

const BLANK: VerifyForm = {
  contractAddress: '',
  contractName: '',
  codeFormat: 'solidity-single-file',
  compilerVersion: '',
  sourceCode: '',
  optimization: '1',
  optimizationRuns: '200',
  evmVersion: 'default',
  viaIr: '',
  licenseType: '',
  contractAbi: '',
  libraries: '',
}

function formOf(body: unknown): VerifyForm {
  const given = (body ?? {}) as Readonly<Record<string, string>>
  const fields = Object.keys(BLANK).map((name) => [name, (given[name] ?? '').trim()])
  // Browsers send line ends as CRLF, whatever the file had, and the metadata hash covers every byte.
  return {
    ...(Object.fromEntries(fields) as VerifyForm),
    sourceCode: (given.sourceCode ?? '').replaceAll('\r\n', '\n'),
  }
}

/** The parameters of the endpoint; empty fields are left out. */
function paramsOf(form: VerifyForm, chainShortName: string): Record<string, unknown> {
  const { viaIr, libraries, ...texts } = form
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    // The field is passed on when empty, so that the endpoint names it in its refusal.
    contractName: form.contractName,
    chainShortName,
    viaIr: viaIr === 'true',
    ...(libraries !== '' && { libraryInfo: librariesOf(libraries) }),
  }
}

function librariesOf(text: string): object[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, libraryName = '', libraryAddress = ''] =
        /^\s*(.+?)\s*(?:[=:]|\s)\s*(0x[0-9a-fA-F]{40})\s*$/.exec(line) ?? []
      if (libraryName === '')
        throw new Failure('parameterWrong', `Libraries: “${line.trim().slice(0, MAX_QUOTE_CHARS)}” is not Name = 0x….`)
      return { libraryName, libraryAddress }
    })
}

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
    queue: job.queue,
  }
}
