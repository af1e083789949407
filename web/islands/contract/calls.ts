// Calls a contract from its page: reads through the JSON-RPC of this server, writes through a wallet of the browser. Results and errors are
// decoded with the ABI of the contract.
import { type Abi, type AbiFunction, decodeFunctionResult, encodeFunctionData, formatEther, parseEther } from 'viem'
import { argumentsOf, shownValue } from './abi-values.ts'
import { ask, CallFailure, errorText } from './json-rpc.ts'
import { createWallets, type Wallets } from './wallets.ts'

type TargetContract = { readonly address: `0x${string}`; readonly abi: Abi; readonly root: HTMLElement }

export function mount(root: HTMLElement): void {
  const target: TargetContract = {
    root,
    address: root.dataset.address as `0x${string}`,
    abi: JSON.parse(root.dataset.abi!) as Abi,
  }
  const wallets = root.dataset.contractCalls === 'write' ? createWallets(root) : undefined
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[type=submit]')) button.disabled = false
  root.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    event.preventDefault()
    const output = form.querySelector('output')!
    const button = form.querySelector('button')!
    button.disabled = true
    output.replaceChildren(paragraph('answer soft', 'Loading'))
    try {
      output.replaceChildren(...(wallets ? await written(target, form, wallets) : await read(target, form)))
    } catch (error) {
      output.replaceChildren(paragraph('failure', errorText(target.abi, error)))
    } finally {
      button.disabled = false
    }
  })
}

function callOf({ abi, address }: TargetContract, form: HTMLFormElement) {
  const item = abi[Number(form.dataset.function)] as AbiFunction
  const values = new FormData(form)
  const args = argumentsOf(item.inputs, (i) => String(values.get(`argument-${i}`) ?? ''))
  const data = encodeFunctionData({ abi: [item], functionName: item.name, args })
  const value = amountOf(String(values.get('value') ?? ''))
  return { item, call: { to: address, data, ...(value > 0n && { value: `0x${value.toString(16)}` }) } }
}

function amountOf(text: string): bigint {
  if (text.trim() === '') return 0n
  if (!/^\d+(\.\d{1,18})?$/.test(text.trim())) throw new CallFailure(`“${text}” is not an amount.`)
  return parseEther(text.trim())
}

async function read(target: TargetContract, form: HTMLFormElement): Promise<Node[]> {
  const { item, call } = callOf(target, form)
  const tag = target.root.querySelector<HTMLSelectElement>('[name=tag]')!.value
  const data = (await ask('eth_call', [call, tag])) as `0x${string}`
  if (data === '0x' && item.outputs.length > 0) throw new CallFailure('The call returned no data.')
  // The return type of a guessed function is not known.
  if (item.outputs.length === 0) return [paragraph('answer hex', data)]
  const result = decodeFunctionResult({ abi: [item], functionName: item.name, data })
  const results = item.outputs.length === 1 ? [result] : (result as readonly unknown[])
  const list = document.createElement('dl')
  list.className = 'arguments answer'
  for (const [i, { name, type }] of item.outputs.entries()) {
    const row = document.createElement('div')
    const term = document.createElement('dt')
    term.textContent = [name, type].filter(Boolean).join(' ')
    const value = document.createElement('dd')
    value.append(shownValue(results[i]))
    row.append(term, value)
    list.append(row)
  }
  return [list]
}

async function written(target: TargetContract, form: HTMLFormElement, wallets: Wallets): Promise<Node[]> {
  const { call } = callOf(target, form)
  const wallet = await wallets.connected()
  // Simulated first, so that nobody pays for a call that reverts.
  await ask('eth_call', [{ ...call, from: wallet.account }, 'pending'])
  const hash = (await wallet.request('eth_sendTransaction', [{ ...call, from: wallet.account }])) as string
  const sent = paragraph('answer', `Sent${'value' in call ? ` with ${formatEther(BigInt(call.value!))}` : ''}: `)
  const link = document.createElement('a')
  link.href = `/tx/${hash}`
  link.className = 'hex'
  link.textContent = hash
  sent.append(link)
  return [sent]
}

function paragraph(name: string, text: string): HTMLElement {
  const element = document.createElement('p')
  element.className = name
  element.textContent = text
  return element
}
