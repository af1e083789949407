// The verification form: loads a file, and hides the settings that standard JSON input already contains.
export function mount(form: HTMLElement): void {
  const format = form.querySelector<HTMLSelectElement>('[name=codeFormat]')!
  const settings = form.querySelector<HTMLElement>('[data-verify-settings]')!
  const source = form.querySelector<HTMLTextAreaElement>('[name=sourceCode]')!
  const picker = form.querySelector<HTMLElement>('[data-verify-file]')!
  const show = (): void => {
    settings.hidden = format.value === 'solidity-standard-json-input'
  }
  show()
  format.addEventListener('change', show)
  picker.hidden = false
  picker.querySelector('input')!.addEventListener('change', async ({ target }) => {
    const file = (target as HTMLInputElement).files?.[0]
    if (file) source.value = await file.text()
  })
}
