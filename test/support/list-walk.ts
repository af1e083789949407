import { expect } from 'vitest'

type PagedElement = { page: string; limit: string; totalPage: string; nextCursor: string }
type Ask = (params: { page?: string; limit: string; after?: string }) => Promise<{ data: readonly PagedElement[] }>

/** The whole list by page numbers, which must be the same by cursors, with exact figures on every page. */
export async function walk(ask: Ask, list: string, limit = 7): Promise<unknown[]> {
  const rowsOf = (element: PagedElement) => (element as unknown as Record<string, unknown[]>)[list]!
  const pages: unknown[] = []
  let totalPage = 1
  for (let page = 1; page <= totalPage; page++) {
    const [element] = (await ask({ page: String(page), limit: String(limit) })).data
    totalPage = Number(element!.totalPage)
    expect(element).toMatchObject({ page: String(page), limit: String(limit) })
    if (page < totalPage) expect(rowsOf(element!)).toHaveLength(limit)
    pages.push(...rowsOf(element!))
  }
  expect(totalPage).toBe(Math.ceil(pages.length / limit))
  const beyond = (await ask({ page: String(totalPage + 1), limit: String(limit) })).data[0]!
  expect(beyond).toMatchObject({ [list]: [], totalPage: String(totalPage), nextCursor: '' })
  const walked: unknown[] = []
  for (let after: string | undefined; after !== ''; ) {
    const [element] = (await ask({ limit: String(limit), ...(after && { after }) })).data
    walked.push(...rowsOf(element!))
    after = element!.nextCursor
  }
  expect(walked).toEqual(pages)
  return pages
}
