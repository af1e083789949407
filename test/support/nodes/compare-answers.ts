// Asks every question and counts the records: equal to what the node says, different but marked as not exact, or wrong.
import { isDeepStrictEqual } from 'node:util'
import type { Question } from './expected-answers.ts'

type Row = Readonly<Record<string, unknown>>

export type Counts = { compared: number; equal: number; marked: number; wrong: number }

export type Tally = Counts & {
  readonly byEndpoint: Map<string, Counts>
  /** Lists whose rows were compared in their order. */
  lists: number
  /** Examples by endpoint and fields. */
  readonly kinds: Map<string, { count: number; readonly example: string }>
}

export async function compareAnswers(questions: readonly Question[]): Promise<Tally> {
  const tally: Tally = { ...noCounts(), byEndpoint: new Map(), lists: 0, kinds: new Map() }
  for (const question of questions) {
    if (question.list !== undefined && question.key === undefined) tally.lists += 1
    try {
      compareOne(question, await rowsOf(question), tally)
    } catch (thrown) {
      const example = thrown instanceof Error ? thrown.message : String(thrown)
      count(tally, false, [{ field: 'refused', example }], question.endpoint)
    }
  }
  return tally
}

function noCounts(): Counts {
  return { compared: 0, equal: 0, marked: 0, wrong: 0 }
}

type Answered = { readonly row: Row; readonly isMarked: boolean }

/** `isMarked`: the list says that rows may be missing or wrong. */
type AnsweredList = { readonly rows: readonly Answered[]; readonly isMarked: boolean }

async function rowsOf({ ask, list, limit }: Question): Promise<AnsweredList> {
  if (list === undefined) {
    const { data } = await ask({ page: '1', limit: '1' })
    return { rows: (data as Row[]).map((row) => ({ row, isMarked: isInexact(row) })), isMarked: false }
  }
  const rows: Answered[] = []
  let isMarked = false
  for (let page = 1, pages = 1; page <= pages; page++) {
    const [element] = (await ask({ page: String(page), limit: String(limit) })).data as Row[]
    if (element === undefined) break
    pages = Number(element.totalPage)
    isMarked ||= isInexact(element)
    for (const row of element[list] as Row[]) rows.push({ row, isMarked: isInexact(row) })
  }
  return { rows, isMarked }
}

/** The words by which an answer says that it may not be exact. */
function isInexact(row: Row): boolean {
  return (
    row.balanceExact === false ||
    row.balancesExact === false ||
    row.balancesComplete === false ||
    row.internalTransactionsComplete === false ||
    row.isContractExact === false ||
    // A number that is not known is empty.
    row.txnInternal === '' ||
    row.balanceSource === 'unconfirmed' ||
    row.balanceSource === 'contract-partial'
  )
}

function compareOne({ endpoint, expected, key }: Question, { rows, isMarked }: AnsweredList, tally: Tally): void {
  const byKey = key && new Map(rows.map((each) => [each.row[key], each]))
  for (const [i, row] of expected.entries()) {
    const found = byKey ? byKey.get(row[key!]) : rows[i]
    count(tally, isMarked || (found?.isMarked ?? false), differing(row, found?.row), endpoint)
  }
  const surplus = rows.length - expected.length
  if (surplus > 0)
    count(
      tally,
      isMarked || rows.at(-1)!.isMarked,
      [{ field: 'surplus', example: `${surplus} more records than expected` }],
      endpoint,
    )
}

type Problem = { readonly field: string; readonly example: string }

function count(tally: Tally, isMarked: boolean, problems: readonly Problem[], endpoint: string): void {
  const verdict = problems.length === 0 ? 'equal' : isMarked ? 'marked' : 'wrong'
  const ofEndpoint = tally.byEndpoint.get(endpoint) ?? noCounts()
  tally.byEndpoint.set(endpoint, ofEndpoint)
  for (const counts of [tally, ofEndpoint]) {
    counts.compared += 1
    counts[verdict] += 1
  }
  if (verdict === 'wrong') {
    const kind = `${endpoint} ${problems.map(({ field }) => field).join()}`
    const known = tally.kinds.get(kind) ?? { count: 0, example: problems[0]!.example }
    known.count += 1
    tally.kinds.set(kind, known)
  }
}

/** Only fields that the expectation names. */
function differing(expected: Row, actual: Row | undefined): Problem[] {
  const name = Object.values(expected).find((value) => typeof value === 'string' && value.startsWith('0x'))
  if (actual === undefined) return [{ field: 'missing', example: String(name) }]
  return Object.entries(expected)
    .filter(([field, value]) => !isDeepStrictEqual(actual[field], value))
    .map(([field, value]) => ({
      field,
      example: `${name} ${JSON.stringify(actual[field])}, the node says ${JSON.stringify(value)}`,
    }))
}
