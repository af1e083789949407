// What surrounds every page: head, header with search, footer with preferences.
import type { ComponentChildren } from 'preact'
import { type Clock, clocks } from '../text/clock.ts'
import { Icon, type IconName } from './icons.tsx'
import { NamesProvider } from './names.tsx'
import { Notices } from './notices.tsx'
import { type PageShell, type Theme, themes } from './page-shell.ts'

type LayoutProps = {
  shell: PageShell
  title: string
  /** One sentence for link previews. */
  about?: string
  /** The home page has its own, larger search. */
  isHome?: boolean
  /** Styles and scripts of this page alone. */
  head?: ComponentChildren
  children: ComponentChildren
}

export function Layout({ shell, title, about, isHome = false, head, children }: LayoutProps) {
  const { chain, assets, theme, clock } = shell
  const fullTitle = `${title} · ${chain.fullName} · Firstlight`
  return (
    <html lang="en" {...(theme !== 'system' && { 'data-theme': theme })} data-clock={clock}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{fullTitle}</title>
        {about && <meta name="description" content={about} />}
        <meta property="og:title" content={fullTitle} />
        {about && <meta property="og:description" content={about} />}
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={assets.style} />
        <script type="module" src={assets.script} />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header shell={shell} isHome={isHome} />
        <Notices notices={shell.notices ?? []} />
        <main id="main">
          <NamesProvider shell={shell}>{children}</NamesProvider>
        </main>
        <Footer shell={shell} />
      </body>
    </html>
  )
}

const mainLinks = [
  ['/blocks', 'Blocks'],
  ['/txs', 'Transactions'],
  ['/tokens', 'Tokens'],
  ['/accounts', 'Accounts'],
  ['/contracts', 'Contracts'],
  ['/quality', 'Preconfirmations'],
  ['/docs', 'API'],
] as const

function Header({ shell, isHome }: { shell: PageShell; isHome: boolean }) {
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href="/">
          <Mark />
          <span class="name">Firstlight</span>
          <span class="chain">{shell.chain.fullName}</span>
        </a>
        <nav class="main-links" aria-label="Main">
          {mainLinks.map(([href, word]) => (
            <a key={href} href={href} {...(shell.path.split('?')[0] === href && { 'aria-current': 'page' })}>
              {word}
            </a>
          ))}
        </nav>
        {!isHome && <Search value="" />}
      </div>
    </header>
  )
}

/** The logo: a rising sun. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 15a6 6 0 0 1 12 0z" />
      <path class="rays" d="M12 3v3M4.2 7.2l2 2M19.8 7.2l-2 2M2 18.5h20M6 22h12" />
    </svg>
  )
}

export function Search({ value, isLarge = false }: { value: string; isLarge?: boolean }) {
  return (
    <search class={isLarge ? 'search large' : 'search'}>
      <form action="/search" method="get">
        <Icon name="search" />
        <input
          name="q"
          type="search"
          value={value}
          maxLength={200}
          placeholder="Address, transaction, block or token"
          aria-label="Search by address, transaction, block or token"
          autocomplete="off"
          spellcheck={false}
        />
        <kbd title="Press / to search">/</kbd>
      </form>
    </search>
  )
}

const themeWords: Record<Theme, readonly [IconName, string]> = {
  system: ['screen', 'System'],
  light: ['sun', 'Light'],
  dark: ['moon', 'Dark'],
}
const clockWords: Record<Clock, string> = { age: 'Age', local: 'Local', utc: 'UTC', unix: 'Unix' }

/** Without JavaScript the buttons submit the form, and the server sets the cookie instead of the browser. */
function Footer({ shell }: { shell: PageShell }) {
  return (
    <footer class="bottom">
      <form action="/settings" method="get" class="preferences">
        <input type="hidden" name="back" value={shell.path} />
        <fieldset>
          <legend>Time</legend>
          {clocks.map((clock) => (
            <button key={clock} type="submit" name="clock" value={clock} aria-pressed={shell.clock === clock}>
              {clockWords[clock]}
            </button>
          ))}
        </fieldset>
        <fieldset>
          <legend>Colours</legend>
          {themes.map((theme) => (
            <button
              key={theme}
              type="submit"
              name="theme"
              value={theme}
              aria-pressed={shell.theme === theme}
              aria-label={themeWords[theme][1]}
              title={themeWords[theme][1]}
            >
              <Icon name={themeWords[theme][0]} />
            </button>
          ))}
        </fieldset>
      </form>
      <nav aria-label="More">
        <a href="/flashblock">Flashblocks</a>
        <a href="/large">Large transactions</a>
        <a href="/txs/pending">Unconfirmed transactions</a>
        <a href="/charts">Charts</a>
        <a href="/gas">Gas prices</a>
        <a href="/docs">API</a>
        <a href="/tools">Tools</a>
        <a href="/labels">Labels</a>
        <a href="/console">Console</a>
        <a href="/about">About and glossary</a>
      </nav>
      <p>
        Firstlight {shell.version}, on {shell.chain.fullName} ({shell.chain.shortName})
      </p>
    </footer>
  )
}
