// The source code of a verified contract: its files, a search through them, and the open file with line links and syntax colours. The text
// on the page is always that of the file; the shape only says where words begin and end.
import type { ContractFacts, FoundLines } from '../../../src/contract/pages.ts'
import { Nothing } from '../page/page-head.tsx'
import { counted } from '../text/numbers.ts'
import { short } from '../values/references.tsx'

/** Pairs of kind and length for every line. */
export type SourceShape = readonly (readonly number[])[]
export type SourceFile = { readonly path: string; readonly content: string; readonly shape: SourceShape | undefined }

const MOST_LINES = 20_000

/** CSS classes by the numbers of the shape; plain words have none. */
const CLASSES = ['', 'c', 's', 'k', 'n', 't', 'f'] as const

export function Source({ file }: { file: SourceFile }) {
  const lines = file.content.split(/\r?\n/)
  return (
    <section class="source" aria-label={`Source of ${file.path}`}>
      <ol>
        {lines.slice(0, MOST_LINES).map((line, i) => (
          <li key={i} id={`L${i + 1}`}>
            <a class="line" href={`#L${i + 1}`} aria-label={`Line ${i + 1}`}>
              {i + 1}
            </a>
            <code>
              <Words line={line} shape={file.shape?.[i]} />
            </code>
          </li>
        ))}
      </ol>
      {lines.length > MOST_LINES && <p class="note">{lines.length - MOST_LINES} more lines are not shown.</p>}
    </section>
  )
}

function Words({ line, shape }: { line: string; shape: readonly number[] | undefined }) {
  if (!shape) return <>{line}</>
  const words = []
  let at = 0
  for (let i = 0; i + 1 < shape.length; i += 2) {
    const text = line.slice(at, at + shape[i + 1]!)
    const kind = CLASSES[shape[i]!]
    words.push(kind ? <span class={kind}>{text}</span> : text)
    at += text.length
  }
  // A shape that does not fit the text must not hide any of it.
  if (at < line.length) words.push(line.slice(at))
  return <>{words}</>
}

/** Cuts a long path at its beginning. */
export function shortPath(path: string): string {
  return /^0x[0-9a-f]{40}$/.test(path) ? short(path) : path.length <= 60 ? path : `…${path.slice(-58)}`
}

export type ContractSection = 'source' | 'abi' | 'build' | 'read' | 'write' | 'similar'

/** `of` is the implementation behind a proxy whose source is shown. */
export function sectionLink(address: string, section: ContractSection, of?: string): string {
  const whose = of === undefined || of === address ? '' : `&of=${of}`
  return `/address/${address}?tab=contract${section === 'source' ? '' : `&section=${section}`}${whose}`
}

/** The lines that contain the text that the reader searched for. */
export type SourceSearch = FoundLines & { readonly text: string }

type Props = {
  address: string
  shown: ContractFacts
  file: SourceFile | undefined
  found: SourceSearch | undefined
}

export function ContractSource({ address, shown, file, found }: Props) {
  const fileLink = (path: string) => `${sectionLink(address, 'source', shown.address)}&file=${encodeURIComponent(path)}`
  return (
    <>
      <div class="source-head">
        <search>
          <form class="find" action={`/address/${address}`} method="get">
            <input type="hidden" name="tab" value="contract" />
            {shown.address !== address && <input type="hidden" name="of" value={shown.address} />}
            <input
              name="find"
              type="search"
              maxLength={100}
              value={found?.text ?? ''}
              placeholder="Search in the source code"
              aria-label="Search in the source code"
              spellcheck={false}
            />
            <button type="submit" class="plain">
              Search
            </button>
          </form>
        </search>
        <details class="files" open={shown.files.length <= 8}>
          <summary>{counted(shown.files.length, 'file')}</summary>
          <ul>
            {shown.files.map(({ path, lines }) => (
              <li key={path}>
                <a
                  href={fileLink(path)}
                  title={path}
                  {...(path === file?.path && !found && { 'aria-current': 'page' as const })}
                >
                  {shortPath(path)}
                </a>{' '}
                <span class="unit">{counted(lines, 'line')}</span>
              </li>
            ))}
          </ul>
        </details>
      </div>
      {found ? <Found found={found} linkOf={fileLink} /> : file && <Source file={file} />}
    </>
  )
}

function Found({ found, linkOf }: { found: SourceSearch; linkOf: (path: string) => string }) {
  return found.lines.length === 0 ? (
    <Nothing>No line contains “{found.text}”.</Nothing>
  ) : (
    <div class="found">
      <p class="note">
        {found.isTruncated && 'The first '}
        {counted(found.lines.length, 'line')} with “{found.text}”
      </p>
      <ol>
        {found.lines.map(({ path, number, text }) => (
          <li key={`${path}:${number}`}>
            <a href={`${linkOf(path)}#L${number}`}>
              {shortPath(path)}:{number}
            </a>
            <code>{text}</code>
          </li>
        ))}
      </ol>
    </div>
  )
}
