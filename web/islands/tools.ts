// The tools of /tools. Code for ABIs and hashes is loaded on first use.
import { fromUnits, hexFromText, textFromHex, toUnits } from './tools/conversions.ts'

type Shown = string | HTMLElement
type Fields = Readonly<Record<string, string>>

export function mount(element: HTMLElement): void {
  const form = element as HTMLFormElement
  const output = form.querySelector('output')!
  const show = (shown: Shown, isWrong = false) => {
    output.replaceChildren(shown)
    output.classList.toggle('failure', isWrong)
  }
  /** Shows the error of a wrong input. */
  const attempt = async (work: () => Shown | undefined | Promise<Shown | undefined>) => {
    try {
      show((await work()) ?? '')
    } catch (error) {
      show(
        error instanceof Error ? ((error as { shortMessage?: string }).shortMessage ?? error.message) : String(error),
        true,
      )
    }
  }
  form.querySelector('fieldset')!.disabled = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const work = submitted[form.dataset.tool!]
    if (work) void attempt(() => work(Object.fromEntries(new FormData(form)) as Fields))
  })
  form.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement
    const work = typed[form.dataset.tool!]
    if (work) void attempt(() => work(form, field))
  })
}

const submitted: Readonly<Record<string, (fields: Fields) => Promise<Shown>>> = {
  broadcast: async ({ raw = '' }) => {
    const answer = await fetch('/flashblocks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw.trim()] }),
    })
    const { result, error } = (await answer.json()) as { result?: string; error?: { message: string } }
    if (result === undefined) throw new Error(error?.message ?? `The server answered ${answer.status}.`)
    const link = document.createElement('a')
    link.className = 'hex'
    link.href = `/tx/${result}`
    link.textContent = result
    return link
  },
  decode: async ({ abi = '', data = '' }) => {
    const { decodedCall } = await import('./tools/decode.ts')
    const shown = document.createElement('pre')
    shown.textContent = decodedCall(abi.trim(), data.trim())
    return shown
  },
}

const typed: Readonly<
  Record<string, (form: HTMLFormElement, field: HTMLInputElement) => Shown | undefined | Promise<Shown | undefined>>
> = {
  units: (form, field) => {
    const isEmpty = field.value.trim() === ''
    const wei = isEmpty ? 0n : fromUnits(field.value, Number(field.name))
    for (const other of form.querySelectorAll('input')) {
      if (other !== field) other.value = isEmpty ? '' : toUnits(wei, Number(other.name))
    }
    return undefined
  },
  text: (form, field) => {
    const other = form.querySelector<HTMLTextAreaElement>(field.name === 'text' ? '[name=hex]' : '[name=text]')!
    other.value = field.name === 'text' ? hexFromText(field.value) : textFromHex(field.value)
    return undefined
  },
  address: async (_, field) => {
    if (field.value.trim() === '') return undefined
    const { checksummed } = await import('./tools/decode.ts')
    const shown = document.createElement('a')
    shown.className = 'hex'
    shown.textContent = checksummed(field.value.trim())
    shown.href = `/address/${shown.textContent.toLowerCase()}`
    return shown
  },
}
