// A request for a page: its parameters, and the functions that a page loader gets its data from.
import type { FastifyRequest } from 'fastify'
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import type { View } from '../../../web/render.tsx'
import { type Answer, paramsFrom } from '../../contract/endpoint.ts'
import {
  type EndpointName,
  type Endpoints,
  endpoints,
  type Handlers,
  type RequestContext,
} from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import { LazyRequestContext, withinTime } from '../admission/request-context.ts'
import type { Ask } from '../api/streams.ts'
import type { NodeCall, PendingNode } from './pending-node.ts'

export type Visit = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly answers: PageAnswers
  /** Calls any endpoint of the explorer API, with wire parameters and the same rules. */
  readonly ask: <N extends EndpointName>(name: N, params?: WireParams) => Promise<Answer<Endpoints[N]>>
  /** The same for a list that is read to its end. */
  readonly askOn: (name: EndpointName, params: WireParams) => Ask
  /** Undefined where this process has no pending chain. */
  readonly node: PendingNode | undefined
  /** What each URL of the node is and can do, as far as it is known. */
  readonly nodeAbilities: () => readonly string[]
}

type WireParams = Readonly<Record<string, string | undefined>>

/** A loader returns a view to show, or a redirect. */
export type PageResult = (View & { readonly status?: number }) | { readonly redirect: string }
export type PageLoader = (visit: Visit) => Promise<PageResult>

export type VisitOptions = {
  readonly handlers: Handlers
  readonly answers: PageAnswers
  readonly chain: PageShell['chain']
  /** The pending chain as a client uses it, who pays for the work. */
  readonly nodeFor?: ((client: string) => PendingNode) | undefined
  readonly nodeAbilities?: () => readonly string[]
}

export function visitOf(options: VisitOptions, request: FastifyRequest): Visit {
  return {
    params: request.params as Record<string, string>,
    query: singleValues(request.query as Record<string, unknown>),
    ...askingAs(options, new LazyRequestContext(request)),
  }
}

/** The same without a request, for live updates. */
export function inProcess(options: VisitOptions): Pick<Visit, 'ask' | 'answers' | 'node'> {
  const context = {
    requestId: 'live',
    client: 'live updates',
    signal: new AbortController().signal,
    abort: () => undefined,
  }
  return askingAs(options, context)
}

type Asking = RequestContext & { abort: (reason: unknown) => void }

function askingAs(options: VisitOptions, context: Asking) {
  const { handlers, answers, chain, nodeFor, nodeAbilities = () => [] } = options
  const node = nodeFor?.(context.client)
  const asked = (name: EndpointName, params: WireParams) => {
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
    return paramsFrom(endpoints[name], { ...given, chainShortName: chain.shortName })
  }
  const answered = <N extends EndpointName>(name: N, params: object): Promise<Answer<Endpoints[N]>> => {
    const handle = handlers[name] as (params: object, context: RequestContext) => Promise<Answer<Endpoints[N]>>
    return withinTime(Promise.resolve(handle(params, context)), context)
  }
  return {
    answers,
    nodeAbilities,
    node: node && { ...node, ask: (calls: readonly NodeCall[]) => withinTime(node.ask(calls), context) },
    ask: async <N extends EndpointName>(name: N, params: WireParams = {}) => answered(name, asked(name, params)),
    askOn: (name: EndpointName, params: WireParams): Ask => {
      const parsed = asked(name, params)
      return (paging) => answered(name, { ...parsed, ...paging })
    },
  }
}

/** Of a parameter that is given twice, the last value counts. */
function singleValues(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]),
  )
}

/** One of the words; the first where none or another was given. */
export function oneOf<const T extends string>(words: readonly [T, ...T[]], given: string | undefined): T {
  return words.find((word) => word === given) ?? words[0]
}

export const TOKEN_KINDS = ['token_20', 'token_721', 'token_1155'] as const

/** The furthest page of a list that is walked over from its beginning each time. */
export const MOST_PAGES = 400

export function pageFrom(given = '1'): number {
  const page = Number(given)
  if (Number.isSafeInteger(page) && page >= 1 && page <= MOST_PAGES) return page
  throw new Failure('parameterWrong', `Parameter page error: must be an integer from 1 to ${MOST_PAGES}.`)
}
