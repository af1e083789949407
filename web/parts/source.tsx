// A file of a verified source: numbered lines that can be linked to, each word in the colour of its kind. What is shown is
// always the source's own text; the shape only says where words begin and end.
import { short } from './references.tsx'

/** Pairs of kind and length for every line. */
export type SourceShape = readonly (readonly number[])[]
export type SourceFile = { readonly path: string; readonly content: string; readonly shape: SourceShape | undefined }

/** Lines that one page shows. */
const MOST_LINES = 20_000

/** By the numbers of the shape; plain words stand bare. */
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
      {lines.length > MOST_LINES && <p class="note">There are {lines.length - MOST_LINES} more lines.</p>}
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
  // A shape of another text must not hide any of this one.
  if (at < line.length) words.push(line.slice(at))
  return <>{words}</>
}

/** The end of a long path says most. */
export function shortPath(path: string): string {
  return /^0x[0-9a-f]{40}$/.test(path) ? short(path) : path.length <= 60 ? path : `…${path.slice(-58)}`
}
