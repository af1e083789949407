// Which part of a page wakes which island. To add one: a line here, and a file that exports `mount`.
import { decorate } from './decorate.ts'

const islands: Readonly<Record<string, () => Promise<{ mount: (element: HTMLElement) => void }>>> = {
  '[data-live], [data-live-part], [data-live-items]': () => import('./live-parts.ts'),
  '[data-chart]': () => import('./chart.ts'),
  '[data-tool]': () => import('./tools.ts'),
  '[data-label-for]': () => import('./labels-editor.ts'),
  '[data-labels]': () => import('./labels-page.ts'),
  '[data-contract-calls]': () => import('./contract-calls.ts'),
  '[data-verify-form]': () => import('./verify-form.ts'),
  '[data-countdown]': () => import('./countdown.ts'),
  '[data-histogram]': () => import('./histogram.ts'),
  '[data-replay]': () => import('./replay.ts'),
  '[data-running]': () => import('./running.ts'),
}

/** Once for every piece of HTML that comes into the page. */
export function mountIslands(root: ParentNode): void {
  decorate(root)
  for (const [selector, load] of Object.entries(islands)) {
    const elements = [...root.querySelectorAll<HTMLElement>(selector)]
    if (elements.length > 0) void load().then(({ mount }) => elements.forEach(mount))
  }
}
