// The list of verified contracts, and the contract tab of an address.
import type { AbiItem } from '../../../web/parts/contract/abi-list.tsx'
import type { ContractContent } from '../../../web/parts/contract/contract-tab.tsx'
import type { ContractSection } from '../../../web/parts/contract/source.tsx'
import { contractFacts, linesWith } from '../../explorer/pages/contract-pages.ts'
import { oneOf, type PageLoader, pageFrom, type Visit } from './visit.ts'

const PAGE_ROWS = 25
const LONGEST_TEXT = 100
const MOST_FOUND = 200
const SECTIONS = ['source', 'abi', 'build', 'read', 'write', 'similar'] as const satisfies ContractSection[]

/** Sections of a contract without verified source. */
const WITHOUT_SOURCE: readonly ContractSection[] = ['similar', 'read', 'write']

export const contractsPage: PageLoader = async ({ answers, query }) => {
  const filter = contractFilter(query)
  const page = pageFrom(query.page)
  const found = await answers.contracts.list(queryOf(filter), {
    limit: PAGE_ROWS + 1,
    offset: (page - 1) * PAGE_ROWS,
  })
  return {
    page: 'contracts',
    data: {
      filter,
      list: found.slice(0, PAGE_ROWS),
      position: { page, limit: PAGE_ROWS, totalPage: found.length > PAGE_ROWS ? page + 1 : page },
    },
  }
}

type ContractFilter = ReturnType<typeof contractFilter>

export function contractFilter(query: Visit['query']) {
  return {
    name: (query.name ?? '').trim().slice(0, LONGEST_TEXT),
    language: oneOf(['', 'solidity', 'vyper'], query.language),
    match: oneOf(['', 'exact', 'partial'], query.match),
  }
}

export function queryOf({ name, language, match }: ContractFilter) {
  return {
    name: name || undefined,
    language: language || undefined,
    rank: match || undefined,
  }
}

export async function contractContent(visit: Visit, address: string): Promise<ContractContent> {
  const { ask, answers, query } = visit
  const [{ data }, { proxy, hasCode, verified, twins }] = await Promise.all([
    ask('contractCreationInfo', { contractAddress: address }),
    answers.contracts.at(address),
  ])
  const shown = verified.find((contract) => contract.address === query.of?.toLowerCase()) ?? verified[0]
  const section = oneOf(SECTIONS, query.section)
  const text = (query.find ?? '').trim().slice(0, LONGEST_TEXT)
  const path = fileOf(shown, query.file)
  const abi = verified.flatMap((contract) => contract.abi as readonly AbiItem[])
  const guessed = verified.length > 0 ? [] : await answers.decoded.guessedFunctions(proxy?.implementation ?? address)
  return {
    tab: 'contract',
    section: shown || WITHOUT_SOURCE.includes(section) ? section : 'build',
    creation: data[0],
    proxy,
    hasCode,
    verified: verified.map(({ address, contract }) => ({ address, name: contract.name })),
    shown: shown && contractFacts(shown),
    file:
      shown && path !== undefined && section === 'source' && text === ''
        ? {
            path,
            content: shown.standardInput.sources[path]!.content,
            shape: await answers.contracts.shapeOf(shown, path),
          }
        : undefined,
    found: shown && text !== '' ? { text, ...linesWith(shown, text, MOST_FOUND) } : undefined,
    functions: verified.length > 0 ? distinct(abi.filter(({ type }) => type === 'function')) : guessed,
    isGuess: guessed.length > 0,
    errors: distinct(abi.filter(({ type }) => type === 'error')),
    twins,
  }
}

/** The requested file, otherwise the file that contains the contract. */
function fileOf(shown: Parameters<typeof contractFacts>[0] | undefined, asked: string | undefined): string | undefined {
  if (!shown) return undefined
  const { sources } = shown.standardInput
  const wanted = [asked, shown.contract.file].find((path) => path !== undefined && Object.hasOwn(sources, path))
  return wanted ?? Object.keys(sources)[0]
}

function distinct(items: readonly AbiItem[]): AbiItem[] {
  return [...new Map(items.map((item) => [JSON.stringify([item.name, item.inputs]), item])).values()]
}
