import { Failure } from '../../contract/failure.ts'

/** The furthest page of a list that is walked over from its beginning each time. */
export const MOST_PAGES = 400

export function pageFrom(given = '1'): number {
  const page = Number(given)
  if (Number.isSafeInteger(page) && page >= 1 && page <= MOST_PAGES) return page
  throw new Failure('parameterWrong', `Parameter page error: must be an integer from 1 to ${MOST_PAGES}.`)
}
