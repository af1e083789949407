const SHOWN_MS = 1_200

export function listenForCopies(): void {
  document.addEventListener('click', async (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>('[data-copy]')
    if (!button) return
    await copyText(button.dataset.copy!)
    button.classList.add('done')
    setTimeout(() => button.classList.remove('done'), SHOWN_MS)
  })
}

/** The clipboard API exists on secure pages only; copying a selection works everywhere. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
