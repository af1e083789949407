// Theme and clock: applied at once, and stored in a cookie so that the server renders the next page with them.
import { writeTimes } from './decorate.ts'

const YEAR_S = 31_536_000

export function followPreferences(): void {
  document.querySelector('.preferences')?.addEventListener('click', (event) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>('button[name]')
    if (!button) return
    event.preventDefault()
    const { name, value } = button
    // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore exists on secure pages only
    document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`
    for (const each of document.querySelectorAll(`.preferences [name=${name}]`)) {
      each.setAttribute('aria-pressed', String(each === button))
    }
    const { dataset } = document.documentElement
    if (name === 'clock') {
      dataset.clock = value
      writeTimes(document)
    } else if (value === 'system') delete dataset.theme
    else dataset.theme = value
  })
}
