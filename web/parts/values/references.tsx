// Links to addresses, transactions, blocks and tokens. Pointing at an address highlights it everywhere on the page
// (islands/decorate.ts).
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Icon } from '../page/icons.tsx'
import { ContractNames } from '../page/names.tsx'

export function short(hex: string, head = 6, tail = 4): string {
  return hex.length <= 2 + head + tail + 1 ? hex : `${hex.slice(0, 2 + head)}…${hex.slice(-tail)}`
}

export function Copy({ text, what }: { text: string; what: string }) {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`}>
      <Icon name="copy" />
    </button>
  )
}

type AddressProps = {
  address: string
  isContract?: boolean | undefined
  /** In full length and with a copy button. */
  full?: boolean
  /** The address of the page: it is shown without a link. */
  self?: string | undefined
  /** Its name is in another column. */
  isNamedElsewhere?: boolean
}

export function Address({ address, isContract = false, full = false, self, isNamedElsewhere }: AddressProps) {
  const known = useContext(ContractNames).get(address)
  const name = isNamedElsewhere ? undefined : known
  if (address === '') return <span class="none">none</span>
  const text = full ? address : (name ?? short(address))
  const title = name === undefined ? address : `${name} ${address}`
  const reference = (
    <span class={full ? 'ref full' : 'ref'}>
      <span class="face" data-face={address} />
      {isContract && (
        <span class="kind" title="Contract">
          <Icon name="document" />
          <span class="hidden">Contract </span>
        </span>
      )}
      {address === self ? (
        <span class={hexOf(name, full)} data-same={address} title={title}>
          {text}
        </span>
      ) : (
        <a class={hexOf(name, full)} href={`/address/${address}`} data-same={address} title={title}>
          {text}
        </a>
      )}
      {full && <Copy text={address} what="address" />}
    </span>
  )
  if (!full || name === undefined) return reference
  return (
    <>
      {reference} <span class="unit named">{name}</span>
    </>
  )
}

/** Names are chosen by users, so they look different from addresses. */
function hexOf(name: string | undefined, full: boolean): string {
  return name === undefined || full ? 'hex' : 'hex contract-name'
}

export function Transaction({ hash, full = false }: { hash: string; full?: boolean }) {
  return (
    <span class={full ? 'ref full' : 'ref'}>
      <a class="hex" href={`/tx/${hash}`} title={hash}>
        {full ? hash : short(hash, 8, 4)}
      </a>
      {full && <Copy text={hash} what="transaction hash" />}
    </span>
  )
}

export function Block({ height }: { height: string }) {
  if (height === '') return <span class="none">none yet</span>
  return (
    <a class="figure" href={`/block/${height}`}>
      {height}
    </a>
  )
}

/** A hash without a page of its own. */
export function Hash({ hash, what }: { hash: string; what: string }) {
  return hash === '' ? (
    <span class="none">none</span>
  ) : (
    <span class="ref full">
      <span class="hex">{hash}</span>
      <Copy text={hash} what={what} />
    </span>
  )
}

/** Symbols are chosen by users; the style sheet cuts long ones. */
export function Token({ address, symbol, name }: { address: string; symbol: string; name?: string }) {
  return (
    <a class="token" href={`/token/${address}`} data-same={address} title={name ? `${name} ${address}` : address}>
      {symbol === '' ? short(address) : symbol}
    </a>
  )
}

/** `from → to`; on the page of an address the arrow is replaced by in, out or self. */
export function Sides(props: {
  from: string
  to: string
  isFromContract: boolean
  isToContract: boolean
  self?: string
  created?: string
}): ComponentChildren {
  return (
    <span class="sides">
      <Address address={props.from} isContract={props.isFromContract} self={props.self} />
      {props.self === undefined ? <Arrow /> : <Way {...props} self={props.self} />}
      {props.to === '' ? (
        <span class="created">
          contract creation {props.created && <Address address={props.created} isContract self={props.self} />}
        </span>
      ) : (
        <Address address={props.to} isContract={props.isToContract} self={props.self} />
      )}
    </span>
  )
}

function Arrow() {
  return (
    <span class="to">
      <Icon name="arrow" />
      <span class="hidden"> to </span>
    </span>
  )
}

function Way({ from, to, self }: { from: string; to: string; self: string }) {
  if (from !== self && to !== self) return <Arrow />
  const word = from !== self ? 'in' : to === self ? 'self' : 'out'
  return (
    <span class={`way ${word}`}>
      <span class="hidden"> to, </span>
      {word}
    </span>
  )
}
