// The page around the API viewer. The viewer and the code that signs requests are scripts of this server.

import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'

export type DocsData = {
  readonly hasDevKey: boolean
  /** Paths of the built files that only this page loads. */
  readonly assets: { readonly script: string; readonly style: string }
}

export function DocsPage({ shell, data: { hasDevKey, assets } }: PageProps<DocsData>) {
  return (
    <Layout
      shell={shell}
      title="API"
      about={`API documentation of ${shell.chain.fullName}`}
      head={
        <>
          <link rel="stylesheet" href={assets.style} />
          <script src="/docs/assets/swagger-ui-bundle.js" defer />
          <script src={assets.script} type="module" />
        </>
      }
    >
      <PageHead title="API">
        <p class="summary">
          {shell.chain.fullName} is <code>{shell.chain.shortName}</code> in every request. Requests must be signed:
          enter a key, and <em>Try it out</em> signs them for you. As a file:{' '}
          <a href="/docs/openapi.json">openapi.json</a>
        </p>
      </PageHead>
      <form id="credentials" class="panel" autocomplete="off" data-dev-key={hasDevKey ? 'yes' : 'no'}>
        <label>
          Key <input name="key" size={36} spellcheck={false} />
        </label>
        <label>
          Secret <input name="secret" type="password" size={32} autocomplete="off" />
        </label>
        <label>
          Passphrase <input name="passphrase" type="password" size={20} autocomplete="off" />
        </label>
        <output id="credentials-state" />
      </form>
      <details id="signed" hidden open>
        <summary>What was signed: the text, its signature, and the same request as a shell script</summary>
        <pre id="signed-text" />
        <pre id="signed-signature" />
        <pre id="signed-curl" />
      </details>
      <div id="api" />
      <noscript>
        The interactive viewer needs JavaScript. The same description is in{' '}
        <a href="/docs/openapi.json">openapi.json</a>.
      </noscript>
    </Layout>
  )
}
