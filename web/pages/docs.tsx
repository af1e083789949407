// The page around the API viewer. The viewer and the signing come as scripts from this server.

import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'

export type DocsData = {
  readonly hasDevKey: boolean
  /** Addresses of the built files beside the usual ones. */
  readonly assets: { readonly script: string; readonly style: string }
}

export function DocsPage({ shell, data: { hasDevKey, assets } }: PageProps<DocsData>) {
  return (
    <Layout
      shell={shell}
      title="API"
      about={`The API of ${shell.chain.fullName}, to read and to try out`}
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
          {shell.chain.fullName} is <code>{shell.chain.shortName}</code> in every request. Requests are signed: give a
          key here, and <em>Try it out</em> signs for you. The same as a file:{' '}
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
        <summary>What was signed: the text, the signature over it, and the same request as a shell script</summary>
        <pre id="signed-text" />
        <pre id="signed-signature" />
        <pre id="signed-curl" />
      </details>
      <div id="api" />
      <noscript>
        The interactive viewer needs JavaScript. <a href="/docs/openapi.json">openapi.json</a> says the same.
      </noscript>
    </Layout>
  )
}
