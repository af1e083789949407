// The call frames of one transaction as a tree. The browser folds and unfolds it without a script.
import type { PageCallFrame } from '../../../src/contract/pages.ts'
import { counted, grouped } from '../text/numbers.ts'
import { Amount } from '../values/amount.tsx'
import { Address } from '../values/references.tsx'
import { Badge } from '../values/stage.tsx'

type CallNode = { readonly frame: PageCallFrame; readonly children: CallNode[] }

/** Call frames come in preorder with their depth, which is enough to build the tree. */
function treeOf(frames: readonly PageCallFrame[]): CallNode[] {
  const roots: CallNode[] = []
  const path: CallNode[] = []
  for (const frame of frames) {
    const node: CallNode = { frame, children: [] }
    path.length = Math.min(path.length, frame.depth)
    const parent = path.at(-1)
    if (parent) parent.children.push(node)
    else roots.push(node)
    path.push(node)
  }
  return roots
}

export function CallTree({ frames, symbol }: { frames: readonly PageCallFrame[]; symbol: string }) {
  return (
    <ul class="calls">
      {treeOf(frames).map((node, i) => (
        <Call key={i} node={node} symbol={symbol} />
      ))}
    </ul>
  )
}

function Call({ node, symbol }: { node: CallNode; symbol: string }) {
  const { frame, children } = node
  const line = (
    <span class="call">
      <span class="method">{frame.operation}</span>
      <Address address={frame.to} isContract={frame.isToContract} />
      {frame.amount !== '0' && <Amount value={frame.amount} symbol={symbol} />}
      <span class="unit" title={`Gas used, of a limit of ${frame.gas}`}>
        {grouped(frame.gasUsed)} gas
      </span>
      {frame.hasFailed && <Badge stage="failed" />}
      {frame.error !== '' && <span class="error">{frame.error}</span>}
    </span>
  )
  if (children.length === 0) return <li>{line}</li>
  return (
    <li>
      {line}
      <details open>
        <summary>{counted(children.length, 'internal call')}</summary>
        <ul>
          {children.map((child, i) => (
            <Call key={i} node={child} symbol={symbol} />
          ))}
        </ul>
      </details>
    </li>
  )
}
