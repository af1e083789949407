// Applies updates to the page: new rows of a list, items, and parts that are replaced. A list that is paused or being read collects new
// rows and shows their number, so that it never moves under the reader.
import { decorate } from './decorate.ts'
import { subscribe } from './live.ts'

/** Gives HTML that was fetched again its islands. */
type MountIslands = (root: ParentNode) => void

export function mount(element: HTMLElement, mountIslands: MountIslands): void {
  const { live, livePart, liveItems } = element.dataset
  if (livePart) followPart(element, livePart, mountIslands)
  else if (liveItems) followItems(element, liveItems)
  else followList(element, live!)
}

function elementsOf(html: string): HTMLElement[] {
  const template = document.createElement('template')
  template.innerHTML = html
  return [...template.content.children] as HTMLElement[]
}

/** Puts the keyboard focus back on the link with the same target. */
function replace(old: HTMLElement, fresh: HTMLElement): void {
  const { activeElement } = document
  const href = old.contains(activeElement) && activeElement?.getAttribute('href')
  old.replaceWith(fresh)
  if (href) fresh.querySelector<HTMLElement>(`[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true })
}

function followPart(element: HTMLElement, topic: string, mountIslands: MountIslands): void {
  let shown = element
  const end = subscribe(topic, {
    onUpdate: ({ html }) => {
      const [fresh] = elementsOf(html)
      if (!shown.isConnected) return end()
      if (!fresh) return
      const hasMovedOn = !isSameStage(fresh, shown)
      replace(shown, fresh)
      decorate(fresh)
      shown = fresh
      if (hasMovedOn) refreshMain(fresh, mountIslands)
    },
    onConnection: () => undefined,
  })
}

function isSameStage(a: HTMLElement, b: HTMLElement): boolean {
  return (['stage', 'indexed'] as const).every((name) => a.dataset[name] === b.dataset[name])
}

const REFRESH_TRIES = 10
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 4_000
let refreshes = 0

/**
 * A new stage of a transaction changes more than its timeline, so the content of the page is fetched again. No other update follows, so a
 * fetch that fails, or brings an older stage than the update, is repeated a few times.
 */
async function refreshMain(part: HTMLElement, mountIslands: MountIslands): Promise<void> {
  const own = ++refreshes
  for (let tries = 1; tries <= REFRESH_TRIES; tries++) {
    const fresh = await fetchMain().catch(() => undefined)
    // A newer refresh is running, so this content is old.
    if (own !== refreshes) return
    const isLast = tries === REFRESH_TRIES
    // An error page has no live part; then the old content stays.
    const freshPart = fresh?.querySelector<HTMLElement>('[data-live-part]')
    const main = document.querySelector('main')
    if (main && fresh && freshPart && (isLast || isSameStage(freshPart, part))) {
      replace(main, fresh)
      mountIslands(fresh)
      return
    }
    if (!isLast)
      await new Promise((done) => setTimeout(done, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1))))
    if (own !== refreshes) return
  }
}

async function fetchMain(): Promise<HTMLElement | null> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  return new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
}

/** Replaces a known item, and adds a new one at the beginning. */
function followItems(list: HTMLElement, topic: string): void {
  subscribe(topic, {
    onUpdate: ({ html }) => {
      for (const item of elementsOf(html).reverse()) {
        const known = list.querySelector<HTMLElement>(`[data-key="${item.dataset.key}"]`)
        if (known) replace(known, item)
        else list.prepend(item)
      }
      // The item with the keyboard focus is never removed.
      while (list.children.length > Number(list.dataset.most))
        [...list.children].findLast((item) => !item.matches(':focus-within'))!.remove()
      list.parentElement!.hidden = list.children.length === 0
    },
    onConnection: () => undefined,
  })
}

function followList(table: HTMLElement, topic: string): void {
  const body = table.querySelector('tbody')!
  const most = Number(table.dataset.most)
  const head = document.querySelector<HTMLElement>(`[data-live-head="${topic}"]`)
  const pause = head?.querySelector<HTMLElement>('[data-pause]')
  const button = head?.querySelector<HTMLElement>('[data-new-rows]')
  const word = head?.querySelector('[data-word]')
  let isPaused = false
  /** Rows that are not shown yet, newest first, by key: a reorg sends a row again. */
  let waiting = new Map<string, HTMLElement>()

  const show = () => {
    if (waiting.size === 0) return
    const rows = [...waiting.values()]
    waiting = new Map()
    for (const row of rows) body.querySelector(`[data-key="${row.dataset.key}"]`)?.remove()
    for (const row of rows) row.classList.add('fresh')
    body.prepend(...rows)
    for (const row of rows) decorate(row)
    while (body.rows.length > most) body.rows[body.rows.length - 1]!.remove()
    showCount()
  }
  const showCount = () => {
    if (!button) return
    button.hidden = waiting.size === 0
    button.textContent = waiting.size > most ? `more than ${most} new` : `${waiting.size} new`
  }
  const isBeingRead = () => isPaused || document.hidden || table.matches(':hover, :focus-within')
  const isShown = ({ dataset: { key, version } }: HTMLElement) =>
    body.querySelector(`[data-key="${key}"][data-version="${version}"]`) !== null
  const addWaiting = (rows: HTMLElement[]) => {
    const before = waiting
    // Rows come newest first, so rows after a shown one are older than it.
    const known = rows.findIndex(isShown)
    const fresh = known === -1 ? rows : rows.slice(0, known)
    waiting = new Map(fresh.map((row) => [row.dataset.key!, row]))
    for (const [key, row] of before) if (!waiting.has(key)) waiting.set(key, row)
    // One more than the list shows is enough to say "more than".
    for (const key of [...waiting.keys()].slice(most + 1)) waiting.delete(key)
  }

  subscribe(topic, {
    onUpdate: ({ html }) => {
      addWaiting(
        elementsOf(`<table><tbody>${html}</tbody></table>`).flatMap((each) => [...each.querySelectorAll('tr')]),
      )
      // Before the next paint the pointer may have entered the list.
      requestAnimationFrame(() => (isBeingRead() ? showCount() : show()))
    },
    onConnection: (isOpen) => {
      head?.classList.toggle('late', !isOpen)
      if (word) word.textContent = isPaused ? 'Paused' : isOpen ? 'Live' : 'Reconnecting'
    },
  })

  if (head) head.hidden = false
  pause?.addEventListener('click', () => {
    isPaused = !isPaused
    pause.setAttribute('aria-pressed', String(isPaused))
    if (word) word.textContent = isPaused ? 'Paused' : 'Live'
    if (!isPaused) show()
  })
  button?.addEventListener('click', show)
  table.addEventListener('mouseleave', () => !isPaused && show())
  document.addEventListener('visibilitychange', () => !document.hidden && !isPaused && show())
}
