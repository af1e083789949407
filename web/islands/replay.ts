// Scrubs through the flashblocks of a block: the slider brings what the links would, without leaving the page.
import { decorate } from './decorate.ts'

export function mount(section: HTMLElement): void {
  const scrub = section.querySelector<HTMLElement>('.scrub')!
  const slider = scrub.querySelector('input')!
  const indexes = [...section.querySelectorAll<HTMLElement>('[data-index]')].map(({ dataset }) => dataset.index!)
  if (indexes.length < 2) return
  scrub.hidden = false
  const pages = new Map<string, Promise<HTMLElement[]>>()
  /** Kept, so that going back and forth asks once. */
  const partsAt = (path: string): Promise<HTMLElement[]> => {
    const known = pages.get(path) ?? fetchParts(path)
    known.catch(() => pages.delete(path))
    pages.set(path, known)
    return known
  }
  const show = async (): Promise<void> => {
    const wished = slider.value
    const path = section.dataset.replay + indexes[Number(wished)]!
    slider.setAttribute('aria-valuetext', `Flashblock ${indexes[Number(wished)]}`)
    const parts = await partsAt(path)
    // Meanwhile the reader may have moved on.
    if (slider.value !== wished) return
    for (const old of [...section.children]) if (old !== scrub) old.remove()
    const [head, ...rest] = parts.map((part) => part.cloneNode(true) as HTMLElement)
    scrub.before(head!)
    scrub.after(...rest)
    decorate(section)
    markPicture(indexes[Number(wished)]!)
    history.replaceState(null, '', path)
  }
  slider.addEventListener('input', () => void show().catch(() => undefined))
}

/** Of the payload that is played: those before it were begun anew. */
function markPicture(index: string): void {
  for (const picture of document.querySelectorAll<HTMLElement>('.reel:not(.superseded) [data-picture]')) {
    if (picture.dataset.picture === index) picture.setAttribute('aria-current', 'true')
    else picture.removeAttribute('aria-current')
  }
}

async function fetchParts(path: string): Promise<HTMLElement[]> {
  const response = await fetch(path, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return ([...page.querySelector('[data-replay]')!.children] as HTMLElement[]).filter((part) => !part.matches('.scrub'))
}
