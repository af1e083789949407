// The search boxes: recent searches as suggestions, stored in this browser only, and the key that moves the focus to the box.
const STORED = 'firstlight-searches'
const MOST = 8

function searches(): string[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? '[]') as unknown
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

export function offerRecentSearches(): void {
  const forms = document.querySelectorAll<HTMLFormElement>('.search form')
  const list = document.createElement('datalist')
  list.id = 'recent-searches'
  list.append(...searches().map((text) => new Option(text, text)))
  document.body.append(list)
  for (const form of forms) {
    const input = form.querySelector<HTMLInputElement>('input[name=q]')!
    input.setAttribute('list', list.id)
    form.addEventListener('submit', () => {
      const text = input.value.trim()
      const recent = [text, ...searches().filter((each) => each !== text)].filter(Boolean).slice(0, MOST)
      try {
        localStorage.setItem(STORED, JSON.stringify(recent))
      } catch {
        // The browser forbids storage; the search works without it.
      }
    })
  }
}

export function focusSearchBySlash(): void {
  document.addEventListener('keydown', (event) => {
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return
    event.preventDefault()
    document.querySelector<HTMLInputElement>('.search input')?.focus()
  })
}
