// Shows and edits the private label on the page of an address.
import { LONGEST_LABEL, labels, setLabel } from './labels.ts'

export function mount(element: HTMLElement): void {
  const address = element.dataset.labelFor!
  const show = (): void => {
    const label = labels()[address]
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'quiet'
    button.textContent = label === undefined ? 'Add a private label' : 'Change'
    button.addEventListener('click', edit)
    const name = document.createElement('strong')
    name.textContent = label ?? ''
    element.replaceChildren(...(label === undefined ? [button] : [name, button]))
  }
  const edit = (): void => {
    const form = document.createElement('form')
    const input = document.createElement('input')
    input.value = labels()[address] ?? ''
    input.maxLength = LONGEST_LABEL
    input.setAttribute('aria-label', 'Private label, stored in this browser')
    const save = document.createElement('button')
    save.className = 'quiet'
    save.textContent = 'Save'
    form.append(input, save)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      setLabel(address, input.value)
      show()
    })
    form.addEventListener('keydown', ({ key }) => key === 'Escape' && show())
    element.replaceChildren(form)
    input.focus()
  }
  show()
}
