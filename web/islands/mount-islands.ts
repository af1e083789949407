// Which element of a page loads which island. To add one: a line in this table, and a file that exports `mount`.
import { decorate } from './decorate.ts'

type Island = { readonly mount: (element: HTMLElement, mountIslands: (root: ParentNode) => void) => void }

const islands: Readonly<Record<string, () => Promise<Island>>> = {
  '[data-live], [data-live-part], [data-live-items]': () => import('./live-parts.ts'),
  '[data-live-notices]': () => import('./notices.ts'),
  '[data-chart]': () => import('./chart.ts'),
  '[data-tool]': () => import('./tools.ts'),
  '[data-label-for]': () => import('./labels/editor.ts'),
  '[data-labels]': () => import('./labels/list.ts'),
  '[data-contract-calls]': () => import('./contract/calls.ts'),
  '[data-verify-form]': () => import('./verify-form.ts'),
  '[data-countdown]': () => import('./countdown.ts'),
  '[data-histogram]': () => import('./histogram.ts'),
  '[data-replay]': () => import('./replay.ts'),
  '[data-running]': () => import('./running.ts'),
}

/** An island that replaces HTML gets this function, to mount the islands of the new HTML. */
export function mountIslands(root: ParentNode): void {
  decorate(root)
  for (const [selector, load] of Object.entries(islands)) {
    const elements = [...root.querySelectorAll<HTMLElement>(selector)]
    if (elements.length === 0) continue
    void load().then(({ mount }) => {
      for (const element of elements) mount(element, mountIslands)
    })
  }
}
