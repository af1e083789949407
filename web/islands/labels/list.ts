// The list of all private labels: remove, save to a file, load from a file.
import { labels, labelsFrom, saveLabels, setLabel } from './labels.ts'

export function mount(element: HTMLElement): void {
  const list = element.querySelector('tbody')!
  const output = element.querySelector('output')!
  const say = (text: string, isWrong = false) => {
    output.textContent = text
    output.classList.toggle('failure', isWrong)
  }
  const show = () => {
    const entries = Object.entries(labels()).sort(([, a], [, b]) => a.localeCompare(b))
    list.replaceChildren(...entries.map(([address, label]) => rowOf(address, label, show)))
    element.querySelector<HTMLElement>('table')!.hidden = entries.length === 0
    if (entries.length === 0) say('There are no labels yet. Add one on the page of an address.')
  }
  element.querySelector('[data-export]')!.addEventListener('click', () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([JSON.stringify(labels(), null, 2)], { type: 'application/json' }))
    link.download = 'firstlight-labels.json'
    link.click()
    URL.revokeObjectURL(link.href)
  })
  element.querySelector<HTMLInputElement>('[data-import]')!.addEventListener('change', async ({ target }) => {
    const input = target as HTMLInputElement
    const [file] = input.files ?? []
    if (!file) return
    try {
      const read = labelsFrom(await file.text())
      saveLabels(labelsFrom(JSON.stringify({ ...labels(), ...read })))
      const count = Object.keys(read).length
      say(count === 1 ? 'Loaded 1 label.' : `Loaded ${count} labels.`)
      show()
    } catch (error) {
      say((error as Error).message, true)
    }
    input.value = ''
  })
  show()
}

function rowOf(address: string, label: string, onChange: () => void): HTMLTableRowElement {
  const row = document.createElement('tr')
  const link = document.createElement('a')
  link.className = 'hex'
  link.href = `/address/${address}`
  link.textContent = address
  const remove = document.createElement('button')
  remove.type = 'button'
  remove.className = 'quiet'
  remove.textContent = 'Remove'
  remove.setAttribute('aria-label', `Remove the label ${label}`)
  remove.addEventListener('click', () => {
    setLabel(address, '')
    onChange()
  })
  for (const [name, content] of [
    ['Label', label],
    ['Address', link],
    ['Remove', remove],
  ] as const) {
    const cell = row.insertCell()
    cell.dataset.name = name
    const inner = document.createElement('div')
    inner.append(content)
    cell.append(inner)
  }
  return row
}
