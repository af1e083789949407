import type { ComponentChildren } from 'preact'

type Crumb = readonly [href: string, word: string]

/** Where the page is, what it is, and what to say of it in one line. */
export function PageHead(props: {
  crumbs?: readonly Crumb[]
  title: ComponentChildren
  children?: ComponentChildren
  /** Beside the title: buttons, neighbours. */
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

/** Name and value, one a line; brief ones stand in two columns where there is room. */
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

/** Says that there is nothing, and why. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}
