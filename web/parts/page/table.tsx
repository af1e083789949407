// The table of every list. On a phone each row becomes a card that names its fields.
import type { ComponentChildren } from 'preact'
import type { ListPosition } from '../../../src/contract/pages.ts'
import { grouped } from '../text/numbers.ts'
import { Icon } from './icons.tsx'
import { Nothing } from './page-head.tsx'

export type Column<R> = {
  readonly name: string
  readonly cell: (row: R) => ComponentChildren
  /** Aligned right. */
  readonly isFigure?: boolean
  /** Hidden on narrow screens. */
  readonly isExtra?: boolean
}

type TableProps<R> = {
  /** For screen readers. */
  caption: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string
  /** Changes when the content of a live row changes, for example because a reorg replaced the block. */
  versionOf?: (row: R) => string
  empty: ComponentChildren
  /** Topic whose updates are added at the top (islands/live-parts.ts). */
  live?: string | undefined
  /** Has few columns, so a phone shows the table as it is. */
  isCompact?: boolean
}

export function Table<R>({ caption, columns, rows, keyOf, versionOf, empty, live, isCompact = false }: TableProps<R>) {
  return rows.length === 0 && !live ? (
    <Nothing>{empty}</Nothing>
  ) : (
    <table
      class={isCompact ? 'list compact' : 'list'}
      {...(live && { 'data-live': live, 'data-most': String(Math.max(rows.length, 10)) })}
    >
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, isFigure, isExtra }) => (
            <th key={name} scope="col" class={classOf(isFigure, isExtra)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={keyOf(row)} columns={columns} row={row} id={keyOf(row)} version={versionOf?.(row)} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps<R> = { columns: readonly Column<R>[]; row: R; id: string; version: string | undefined }

export function Row<R>({ columns, row, id, version }: RowProps<R>) {
  return (
    <tr data-key={id} data-version={version}>
      {columns.map(({ name, cell, isFigure, isExtra }) => (
        <td key={name} data-name={name} class={classOf(isFigure, isExtra)}>
          <div>{cell(row)}</div>
        </td>
      ))}
    </tr>
  )
}

function classOf(isFigure = false, isExtra = false): string | undefined {
  return [isFigure && 'right', isExtra && 'extra'].filter(Boolean).join(' ') || undefined
}

/** Links to the other pages of a list. Page 1 has no page parameter. */
export function Paging({
  path,
  position,
  exports,
}: {
  path: string
  position: ListPosition
  exports?: string | undefined
}) {
  const { page, totalPage } = position
  return (
    <div class="paging">
      {exports && <Downloads href={exports} />}
      {totalPage > 1 && (
        <nav aria-label="Pages">
          {page > 1 && <PageLink path={path} page={1} word="First" />}
          {page > 1 && <PageLink path={path} page={page - 1} word="Previous" rel="prev" icon="left" />}
          <span class="figure">
            Page {grouped(String(page))} of {grouped(String(totalPage))}
          </span>
          {page < totalPage && <PageLink path={path} page={page + 1} word="Next" rel="next" icon="right" />}
        </nav>
      )}
    </div>
  )
}

function PageLink(props: { path: string; page: number; word: string; rel?: string; icon?: 'left' | 'right' }) {
  const { path, page, word, rel, icon } = props
  const [bare = '', query = ''] = path.split('?')
  const params = new URLSearchParams(query)
  if (page === 1) params.delete('page')
  else params.set('page', String(page))
  const search = params.toString()
  return (
    <a href={search === '' ? bare : `${bare}?${search}`} {...(rel && { rel })}>
      {icon === 'left' && <Icon name="left" />}
      {word}
      {icon === 'right' && <Icon name="right" />}
    </a>
  )
}

/** The whole list as a file: `/export/blocks?x=y` becomes `/export/blocks.csv?x=y`. */
export function Downloads({ href }: { href: string }) {
  const [path, query] = href.split('?')
  const as = (format: string) => `${path}.${format}${query ? `?${query}` : ''}`
  return (
    <span class="exports">
      <Icon name="download" />
      <a href={as('csv')} download>
        CSV
      </a>
      <a href={as('ndjson')} download>
        NDJSON
      </a>
    </span>
  )
}

/** Above a live list: the state of the connection, and a button that pauses updates. The script of the list makes it visible. */
export function LiveHead({ topic }: { topic: string }) {
  return (
    <span class="live" data-live-head={topic} hidden>
      <button type="button" class="quiet" data-pause aria-pressed="false">
        <span class="dot" />
        <span data-word>Live</span>
        <Icon name="pause" />
      </button>
      <button type="button" class="new-rows" data-new-rows hidden>
        0 new
      </button>
    </span>
  )
}

export function listPositionOf(list: { page: string; limit: string; totalPage: string }): ListPosition {
  return { page: Number(list.page), limit: Number(list.limit), totalPage: Number(list.totalPage) }
}
