// The operator's pages: signing in, the list of API keys, a new key with its secret, and the usage of one key.
import type { ComponentChildren } from 'preact'
import type { ListPosition } from '../../src/contract/pages.ts'
import { Icon } from '../parts/page/icons.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page/page-shell.ts'
import { Paging, Table } from '../parts/page/table.tsx'
import { counted, grouped } from '../parts/text/numbers.ts'
import { Copy } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type ConsoleKey = {
  readonly key: string
  readonly name: string
  readonly createdMs: number
  readonly revokedMs: number | null
  /** Over the number of days that the page names. */
  readonly requests: number
  readonly lastMs: number | null
}

export function ConsoleSignInPage({ shell, data }: PageProps<{ readonly problem: string | undefined }>) {
  return (
    <Layout shell={shell} title="Console">
      <PageHead title="Console">
        <p class="summary">API keys of this server and their usage.</p>
      </PageHead>
      <form class="panel form" action="/console/sign-in" method="post">
        {data.problem && <FormError>{data.problem}</FormError>}
        <label>
          Operator token
          <input name="token" type="password" required autocomplete="current-password" aria-describedby="token-help" />
        </label>
        <p class="note" id="token-help">
          It is printed when <code>firstlight dev</code> starts, and by <code>firstlight operator-token</code> on the
          machine that runs the server.
        </p>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </Layout>
  )
}

export type ConsoleData = {
  readonly keys: readonly ConsoleKey[]
  readonly active: number
  readonly position: ListPosition
  readonly days: number
  readonly formToken: string
  readonly problem: { readonly text: string; readonly name: string } | undefined
}

export function ConsolePage({ shell, data }: PageProps<ConsoleData>) {
  return (
    <Layout shell={shell} title="Console">
      <PageHead title="API keys" aside={<SignOut formToken={data.formToken} />}>
        <p class="summary">
          {data.active === 1 ? 'One key is active' : `${grouped(String(data.active))} keys are active`}. The{' '}
          <a href="/docs">API documentation</a> says how to sign requests with a key.
        </p>
      </PageHead>
      <form class="panel form row" action="/console/keys" method="post">
        <h2>New key</h2>
        {data.problem && <FormError>The key was not created: {data.problem.text}.</FormError>}
        <input type="hidden" name="formToken" value={data.formToken} />
        <label>
          Name
          <input name="name" required maxLength={64} autocomplete="off" value={data.problem?.name ?? ''} />
        </label>
        <label>
          Passphrase
          <input
            name="passphrase"
            type="password"
            required
            minLength={8}
            maxLength={128}
            autocomplete="new-password"
            aria-describedby="passphrase-help"
          />
        </label>
        <button type="submit" class="primary">
          Create
        </button>
        <p class="note" id="passphrase-help">
          8 to 128 printable characters. Only its hash is stored: if you forget it, create a new key.
        </p>
      </form>
      <Table
        caption="API keys"
        columns={[
          { name: 'Name', cell: ({ key, name }) => <a href={`/console/keys/${key}`}>{name}</a> },
          { name: 'Key', cell: ({ key }) => <KeyId id={key} /> },
          { name: 'Status', cell: (key) => <State of={key} /> },
          { name: 'Created', isExtra: true, cell: ({ createdMs }) => <Time ms={String(createdMs)} shell={shell} /> },
          { name: 'Last used', cell: ({ lastMs }) => <LastUsed ms={lastMs} shell={shell} /> },
          { name: `Requests in ${data.days} days`, isFigure: true, cell: ({ requests }) => grouped(String(requests)) },
          { name: 'Revoke', cell: (key) => <Revoke of={key} formToken={data.formToken} /> },
        ]}
        rows={data.keys}
        keyOf={({ key }) => key}
        empty="There are no keys yet."
      />
      <Paging path={shell.path} position={data.position} />
    </Layout>
  )
}

export type ConsoleIssuedData = { readonly name: string; readonly key: string; readonly secret: string }

export function ConsoleIssuedPage({ shell, data: { name, key, secret } }: PageProps<ConsoleIssuedData>) {
  return (
    <Layout shell={shell} title="New key">
      <PageHead crumbs={[['/console', 'API keys']]} title={name}>
        <p class="summary">
          The secret is shown only once. Neither the secret nor the passphrase can be recovered: save both now.
        </p>
      </PageHead>
      <Facts>
        <Fact name="Key">
          <KeyId id={key} />
        </Fact>
        <Fact name="Secret">
          <span class="ref full">
            <code class="hex" data-secret>
              {secret}
            </code>
            <Copy text={secret} what="secret" />
          </span>
        </Fact>
        <Fact name="Passphrase">the one that you chose</Fact>
      </Facts>
      <p>
        <a href="/console">Back to the keys</a>
      </p>
    </Layout>
  )
}

export type ConsoleKeyData = {
  readonly key: ConsoleKey
  readonly days: number
  readonly formToken: string
  readonly uses: readonly { readonly day: number; readonly route: string; readonly requests: number }[]
}

const DAY_MS = 86_400_000
function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export function ConsoleKeyPage({ shell, data: { key, uses, days, formToken } }: PageProps<ConsoleKeyData>) {
  const most = Math.max(...uses.map(({ requests }) => requests), 1)
  return (
    <Layout shell={shell} title={key.name}>
      <PageHead
        crumbs={[['/console', 'API keys']]}
        title={key.name}
        aside={<Revoke of={key} formToken={formToken} />}
      />
      <Facts isBrief>
        <Fact name="Key">
          <KeyId id={key.key} />
        </Fact>
        <Fact name="Status">
          <State of={key} />
        </Fact>
        <Fact name="Created">
          <Time ms={String(key.createdMs)} shell={shell} />
        </Fact>
        <Fact name="Last used">
          <LastUsed ms={key.lastMs} shell={shell} />
        </Fact>
        <Fact name={`Last ${days} days`}>{counted(key.requests, 'request')}</Fact>
      </Facts>
      <Table
        caption="Requests by day and route"
        columns={[
          { name: 'Day (UTC)', cell: ({ day }) => <span class="figure">{dateOf(day)}</span> },
          { name: 'Route', cell: ({ route }) => <span class="tag">{route}</span> },
          {
            name: 'Requests',
            isFigure: true,
            cell: ({ requests }) => (
              <span class="share">
                <meter min={0} max={most} value={requests} aria-label="Compared with the largest number" />
                {grouped(String(requests))}
              </span>
            ),
          },
        ]}
        rows={uses}
        keyOf={({ day, route }) => `${day} ${route}`}
        empty={`Not used in the last ${days} days.`}
      />
    </Layout>
  )
}

function FormError({ children }: { children: ComponentChildren }) {
  return (
    <p class="failure" role="alert">
      {children}
    </p>
  )
}

function SignOut({ formToken }: { formToken: string }) {
  return (
    <form action="/console/sign-out" method="post" class="end">
      <input type="hidden" name="formToken" value={formToken} />
      <button type="submit" class="plain">
        Sign out
      </button>
    </form>
  )
}

function KeyId({ id }: { id: string }) {
  return (
    <span class="ref full">
      <span class="hex">{id}</span>
      <Copy text={id} what="key" />
    </span>
  )
}

function State({ of: { revokedMs } }: { of: ConsoleKey }) {
  return revokedMs === null ? (
    <span class="badge safe">
      <Icon name="check" />
      Active
    </span>
  ) : (
    <span class="badge">
      <Icon name="cross" />
      Revoked
    </span>
  )
}

function LastUsed({ ms, shell }: { ms: number | null; shell: PageShell }) {
  return ms === null ? <span class="none">not recently</span> : <Time ms={String(ms)} shell={shell} />
}

/** Needs two clicks, since a revoked key cannot be restored. */
function Revoke({ of: { key, name, revokedMs }, formToken }: { of: ConsoleKey; formToken: string }) {
  return revokedMs !== null ? null : (
    <details class="sure">
      <summary aria-label={`Revoke ${name}`}>Revoke…</summary>
      <form action={`/console/keys/${key}/revoke`} method="post">
        <input type="hidden" name="formToken" value={formToken} />
        <button type="submit" class="danger">
          Revoke permanently
        </button>
      </form>
    </details>
  )
}
