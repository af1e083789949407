export type Tab = { readonly id: string; readonly word: string; readonly count?: string | undefined }

/** Tabs are links, so each has a URL and needs no script. The first tab is the page without a parameter. */
export function Tabs({ base, tabs, current }: { base: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav class="tabs" aria-label="Sections">
      {tabs.map(({ id, word, count }, i) => (
        <a
          key={id}
          id={`tab-${id}`}
          href={i === 0 ? base : `${base}?tab=${id}`}
          {...(id === current && { 'aria-current': 'page' })}
        >
          {word}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  )
}

/** A choice inside a tab or page. */
export function Choices(props: {
  label: string
  choices: readonly (readonly [href: string, word: string])[]
  current: string
}) {
  return (
    <nav class="choices" aria-label={props.label}>
      {props.choices.map(([href, word]) => (
        <a key={href} href={href} {...(href === props.current && { 'aria-current': 'true' })}>
          {word}
        </a>
      ))}
    </nav>
  )
}

const KINDS = [
  ['token_20', 'ERC-20'],
  ['token_721', 'ERC-721'],
  ['token_1155', 'ERC-1155'],
] as const

export function KindChoices({ base, tab, kind }: { base: string; tab: string; kind: string }) {
  return (
    <Choices
      label="Kind of token"
      choices={KINDS.map(([each, word]) => [`${base}?tab=${tab}&kind=${each}`, word] as const)}
      current={`${base}?tab=${tab}&kind=${kind}`}
    />
  )
}
