// A slider over the flashblocks of a block: shows what the links would show, without loading a page.
import { decorate } from './decorate.ts'

export function mount(section: HTMLElement): void {
  const scrub = section.querySelector<HTMLElement>('.scrub')!
  const slider = scrub.querySelector('input')!
  const indexes = [...section.querySelectorAll<HTMLElement>('[data-index]')].map(({ dataset }) => dataset.index!)
  if (indexes.length < 2) return
  scrub.hidden = false
  const pages = new Map<string, Promise<HTMLElement[]>>()
  /** Cached, so that each flashblock is fetched once. */
  const partsAt = (path: string): Promise<HTMLElement[]> => {
    const known = pages.get(path) ?? fetchParts(path)
    known.catch(() => pages.delete(path))
    pages.set(path, known)
    return known
  }
  const show = async (): Promise<void> => {
    const wanted = slider.value
    const path = section.dataset.replay + indexes[Number(wanted)]!
    slider.setAttribute('aria-valuetext', `Flashblock ${indexes[Number(wanted)]}`)
    const parts = await partsAt(path)
    // The reader may have moved the slider meanwhile.
    if (slider.value !== wanted) return
    for (const old of [...section.children]) if (old !== scrub) old.remove()
    const [head, ...rest] = parts.map((part) => part.cloneNode(true) as HTMLElement)
    scrub.before(head!)
    scrub.after(...rest)
    decorate(section)
    markCard(indexes[Number(wanted)]!)
    history.replaceState(null, '', path)
  }
  slider.addEventListener('input', () => void show().catch(() => undefined))
}

/** Marks the card in the last payload; the sequencer replaced the payloads before it. */
function markCard(index: string): void {
  for (const card of document.querySelectorAll<HTMLElement>('.payload:not(.superseded) [data-flashblock]')) {
    if (card.dataset.flashblock === index) card.setAttribute('aria-current', 'true')
    else card.removeAttribute('aria-current')
  }
}

async function fetchParts(path: string): Promise<HTMLElement[]> {
  const response = await fetch(path, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return ([...page.querySelector('[data-replay]')!.children] as HTMLElement[]).filter((part) => !part.matches('.scrub'))
}
