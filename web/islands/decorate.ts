// What the browser adds to HTML of the server, to the first page and to updates: pictures of addresses, times, private labels, and
// highlighting of equal addresses.
import { blo } from 'blo'
import { type Clock, timeText } from '../parts/text/clock.ts'
import { showLabels } from './labels/labels.ts'
import { warnOfLookalikes } from './labels/lookalike.ts'

export function decorate(root: ParentNode): void {
  for (const face of root.querySelectorAll<HTMLElement>('[data-face]')) {
    face.style.backgroundImage = `url("${blo(face.dataset.face as `0x${string}`)}")`
  }
  writeTimes(root)
  showLabels(root)
  warnOfLookalikes()
}

export function writeTimes(root: ParentNode): void {
  const clock = document.documentElement.dataset.clock as Clock
  const nowMs = Date.now()
  for (const time of root.querySelectorAll<HTMLElement>('time[data-ms]')) {
    const text = timeText(Number(time.dataset.ms), clock, nowMs)
    if (time.textContent !== text) time.textContent = text
  }
}

/** Only ages change with time. */
setInterval(() => {
  if (document.documentElement.dataset.clock === 'age' && !document.hidden) writeTimes(document)
}, 1_000)

function highlight(event: Event): void {
  const same = (event.target as HTMLElement).closest?.<HTMLElement>('[data-same]')?.dataset.same
  for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit')
  if (!same) return
  const twins = document.querySelectorAll(`[data-same="${CSS.escape(same)}"]`)
  if (twins.length > 1) for (const twin of twins) twin.classList.add('lit')
}
document.addEventListener('mouseover', highlight)
document.addEventListener('focusin', highlight)
