// Files of a source, a search through all of them, and the one that is open.
import type { ContractFacts } from './contract-build.tsx'
import { sectionLink } from './contract-links.ts'
import { grouped } from './numbers.ts'
import { Nothing } from './page-head.tsx'
import { Source, type SourceFile, shortPath } from './source.tsx'

export type FoundLines = {
  readonly text: string
  readonly lines: readonly { readonly path: string; readonly number: number; readonly text: string }[]
  readonly isTruncated: boolean
}

type Props = {
  address: string
  shown: ContractFacts
  file: SourceFile | undefined
  found: FoundLines | undefined
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
              placeholder="Search in the source"
              aria-label="Search in the source"
              spellcheck={false}
            />
            <button type="submit" class="plain">
              Search
            </button>
          </form>
        </search>
        <details class="files" open={shown.files.length <= 8}>
          <summary>{shown.files.length === 1 ? 'One file' : `${grouped(String(shown.files.length))} files`}</summary>
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
                <span class="unit">{grouped(String(lines))} lines</span>
              </li>
            ))}
          </ul>
        </details>
      </div>
      {found ? <Found found={found} linkOf={fileLink} /> : file && <Source file={file} />}
    </>
  )
}

function Found({ found, linkOf }: { found: FoundLines; linkOf: (path: string) => string }) {
  return found.lines.length === 0 ? (
    <Nothing>No line of the source has “{found.text}” in it.</Nothing>
  ) : (
    <div class="found">
      <p class="note">
        {found.isTruncated ? `The first ${found.lines.length}` : found.lines.length} lines with “{found.text}”
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
