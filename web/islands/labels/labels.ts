// Private labels of addresses, stored in this browser only and shown wherever the address appears.
export type Labels = Readonly<Record<string, string>>

const STORED = 'firstlight-labels'
export const LONGEST_LABEL = 40
export const MOST_LABELS = 5_000

let known: Labels | undefined

/** Empty where the browser forbids storage. */
export function labels(): Labels {
  if (known) return known
  try {
    known = labelsFrom(localStorage.getItem(STORED) ?? '{}')
  } catch {
    known = {}
  }
  return known
}

/** Throws an error that describes the format where the file is wrong. */
export function labelsFrom(json: string): Labels {
  const wrong = new Error('Labels are a JSON object of addresses and names: {"0x…": "name"}.')
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    throw wrong
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong
  const entries = Object.entries(given).map(([address, label]) => {
    const isGood = /^0x[0-9a-f]{40}$/i.test(address) && typeof label === 'string' && label.trim() !== ''
    if (!isGood) throw wrong
    return [address.toLowerCase(), label.trim().slice(0, LONGEST_LABEL)] as const
  })
  if (entries.length > MOST_LABELS) throw new Error(`At most ${MOST_LABELS} labels can be stored.`)
  return Object.fromEntries(entries)
}

export function saveLabels(changed: Labels): void {
  known = changed
  localStorage.setItem(STORED, JSON.stringify(changed))
  showLabels(document)
}

/** An empty text removes the label. */
export function setLabel(address: string, text: string): void {
  const { [address]: _, ...rest } = labels()
  const label = text.trim().slice(0, LONGEST_LABEL)
  saveLabels(label === '' ? rest : labelsFrom(JSON.stringify({ ...rest, [address]: label })))
}

export function showLabels(root: ParentNode): void {
  const all = labels()
  for (const element of root.querySelectorAll<HTMLElement>('.hex[data-same]')) {
    const label = all[element.dataset.same!]
    if (label === undefined && element.dataset.unlabelled === undefined) continue
    element.dataset.unlabelled ??= element.textContent
    element.textContent = label ?? element.dataset.unlabelled
    element.classList.toggle('labelled', label !== undefined)
  }
}
