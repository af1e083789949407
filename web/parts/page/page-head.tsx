import type { ComponentChildren } from 'preact'

type Crumb = readonly [href: string, word: string]

/** Breadcrumbs, title, and a short description of the page. */
export function PageHead(props: {
  crumbs?: readonly Crumb[]
  title: ComponentChildren
  children?: ComponentChildren
  /** Shown beside the title: buttons, links to the previous and next page. */
  aside?: ComponentChildren
}) {
  return (
    <div class="page-head">
      {props.crumbs && (
        <nav class="crumbs" aria-label="Breadcrumb">
          {props.crumbs.map(([href, word]) => (
            <a key={href} href={href}>
              {word}
            </a>
          ))}
        </nav>
      )}
      <div class="title">
        <h1>{props.title}</h1>
        {props.aside}
      </div>
      {props.children}
    </div>
  )
}

/** Names and values, one per line; `isBrief` puts them in two columns where there is room. */
export function Facts({ isBrief = false, children }: { isBrief?: boolean; children: ComponentChildren }) {
  return <dl class={isBrief ? 'facts brief' : 'facts'}>{children}</dl>
}

export function Fact({ name, help, children }: { name: string; help?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt {...(help !== undefined && { title: help })}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The empty state of a list or tab; says why it is empty. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}
