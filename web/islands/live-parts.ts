// Lists that grow at the top, items and parts that are replaced. Paused, a list keeps what comes and says how much it is; the reader's
// place in it is never moved.
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

/** Who stood on a link of it by keyboard stands on the same one of what takes its place. */
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
      const hasMovedOn = (['stage', 'indexed'] as const).some((name) => fresh.dataset[name] !== shown.dataset[name])
      replace(shown, fresh)
      decorate(fresh)
      shown = fresh
      // Where that fails, what is there stays, and the next step tries again.
      if (hasMovedOn) refreshMain(mountIslands).catch(() => undefined)
    },
    onConnection: () => undefined,
  })
}

/** A transaction that took a step has more to show than its steps: the page's content is fetched anew and put in place. */
let refreshes = 0
async function refreshMain(mountIslands: MountIslands): Promise<void> {
  const own = ++refreshes
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  // A step later another fetch is under way, and what this one brings is old.
  if (own !== refreshes) return
  const main = document.querySelector('main')
  const fresh = page.querySelector('main')
  // A page that says why it could not be shown has no such part; what is there is worth more.
  if (!main || !fresh?.querySelector('[data-live-part]')) return
  replace(main, fresh)
  mountIslands(fresh)
}

/** Items that change while they are the newest: one that is known is put in its place, another goes before all. */
function followItems(list: HTMLElement, topic: string): void {
  subscribe(topic, {
    onUpdate: ({ html }) => {
      for (const item of elementsOf(html).reverse()) {
        const known = list.querySelector<HTMLElement>(`[data-key="${item.dataset.key}"]`)
        if (known) replace(known, item)
        else list.prepend(item)
      }
      // The one that the reader stands on by keyboard stays.
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
  const button = head?.querySelector<HTMLElement>('[data-news]')
  const word = head?.querySelector('[data-word]')
  let isPaused = false
  /** Newest first, by key: a block that a reorganisation replaced comes again. */
  let held = new Map<string, HTMLElement>()

  const show = () => {
    if (held.size === 0) return
    const rows = [...held.values()]
    held = new Map()
    for (const row of rows) body.querySelector(`[data-key="${row.dataset.key}"]`)?.remove()
    for (const row of rows) row.classList.add('fresh')
    body.prepend(...rows)
    for (const row of rows) decorate(row)
    while (body.rows.length > most) body.rows[body.rows.length - 1]!.remove()
    tell()
  }
  const tell = () => {
    if (!button) return
    button.hidden = held.size === 0
    button.textContent = held.size > most ? `more than ${most} new` : `${held.size} new`
  }
  const isRead = () => isPaused || document.hidden || table.matches(':hover, :focus-within')
  const isShown = ({ dataset: { key, version } }: HTMLElement) =>
    body.querySelector(`[data-key="${key}"][data-version="${version}"]`) !== null
  const hold = (rows: HTMLElement[]) => {
    const before = held
    // Newest first: what follows a row that is shown is older than it.
    const known = rows.findIndex(isShown)
    const fresh = known === -1 ? rows : rows.slice(0, known)
    held = new Map(fresh.map((row) => [row.dataset.key!, row]))
    for (const [key, row] of before) if (!held.has(key)) held.set(key, row)
    // One more than a page holds is as good as a thousand more.
    for (const key of [...held.keys()].slice(most + 1)) held.delete(key)
  }

  subscribe(topic, {
    onUpdate: ({ html }) => {
      hold(elementsOf(`<table><tbody>${html}</tbody></table>`).flatMap((each) => [...each.querySelectorAll('tr')]))
      // By the next frame the reader may have come to it.
      requestAnimationFrame(() => (isRead() ? tell() : show()))
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
