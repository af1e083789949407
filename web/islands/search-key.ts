export function focusSearchBySlash(): void {
  document.addEventListener('keydown', (event) => {
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return
    event.preventDefault()
    document.querySelector<HTMLInputElement>('.search input')?.focus()
  })
}
