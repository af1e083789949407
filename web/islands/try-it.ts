// "Try it out" in the API viewer: signs each request to the explorer API in the browser and shows what was signed. Credentials never leave
// this tab.
import { type ApiCredentials, type RequestToSign, signatureOf, textToSign } from '../../src/client/sign.ts'

type ViewerRequest = { url: string; method?: string; headers: Record<string, string>; body?: string }

declare const SwaggerUIBundle: (options: {
  url: string
  dom_id: string
  deepLinking: boolean
  displayRequestDuration: boolean
  defaultModelsExpandDepth: number
  validatorUrl: null
  syntaxHighlight: false
  requestInterceptor: (request: ViewerRequest) => Promise<ViewerRequest>
  plugins: ((system: Viewer) => { components: Record<string, unknown> })[]
  onComplete: () => void
}) => unknown

type Viewer = { React: { createElement: (tag: string, properties: null, ...children: unknown[]) => unknown } }

const STORED = 'firstlight-credentials'
const form = document.querySelector<HTMLFormElement>('#credentials')!
const state = document.querySelector<HTMLOutputElement>('#credentials-state')!

function credentials(): ApiCredentials {
  const values = new FormData(form)
  const read = (name: string) => String(values.get(name) ?? '').trim()
  return { key: read('key'), secret: read('secret'), passphrase: read('passphrase') }
}

function fill(given: ApiCredentials): void {
  for (const name of ['key', 'secret', 'passphrase'] as const) {
    form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = given[name]
  }
}

async function restore(): Promise<void> {
  const stored = sessionStorage.getItem(STORED)
  if (stored) return fill(JSON.parse(stored) as ApiCredentials)
  if (form.dataset.devKey !== 'yes') return
  const response = await fetch('/docs/dev-key.json')
  if (!response.ok) return
  fill((await response.json()) as ApiCredentials)
  state.value = 'This is the development key of this server.'
}

async function sign(request: ViewerRequest): Promise<ViewerRequest> {
  const url = new URL(request.url, location.href)
  const { key, secret, passphrase } = credentials()
  if (!url.pathname.startsWith('/api/v5/') || !key) return request
  const toSign: RequestToSign = {
    timestamp: new Date().toISOString(),
    method: request.method ?? 'GET',
    target: url.pathname + url.search,
    body: request.body ?? '',
  }
  const text = textToSign(toSign)
  const signature = await signatureOf(secret, text)
  show(toSign, text, signature)
  request.headers['SVC-ACCESS-KEY'] = key
  request.headers['SVC-ACCESS-SIGN'] = signature
  request.headers['SVC-ACCESS-TIMESTAMP'] = toSign.timestamp
  request.headers['SVC-ACCESS-PASSPHRASE'] = passphrase
  return request
}

function show(request: RequestToSign, text: string, signature: string): void {
  const signed = document.querySelector<HTMLDetailsElement>('#signed')!
  signed.hidden = false
  // Directly below the endpoint that was tried.
  document.activeElement?.closest('.opblock')?.after(signed)
  document.querySelector('#signed-text')!.textContent = text
  document.querySelector('#signed-signature')!.textContent = `base64(hmac-sha256(secret, text)) = ${signature}`
  document.querySelector('#signed-curl')!.textContent = shellScript(request)
}

/** The same request as a shell script; the reader sets KEY, SECRET and PASSPHRASE. */
function shellScript({ method, target, body }: RequestToSign): string {
  const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`
  return [
    `TARGET=${quoted(target)}; BODY=${quoted(body)}; TIME=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)`,
    `SIGN=$(printf %s "\${TIME}${method.toUpperCase()}$TARGET$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64)`,
    `curl -sX ${method.toUpperCase()} "${location.origin}$TARGET"${body ? ' -H "content-type: application/json" -d "$BODY"' : ''} \\`,
    '  -H "SVC-ACCESS-KEY: $KEY" -H "SVC-ACCESS-SIGN: $SIGN" \\',
    '  -H "SVC-ACCESS-TIMESTAMP: $TIME" -H "SVC-ACCESS-PASSPHRASE: $PASSPHRASE"',
  ].join('\n')
}

/** The viewer puts a link into each button, although the button already changes the URL. */
function withoutNestedLinks({ React }: Viewer) {
  return {
    components: { DeepLink: ({ text }: { text: unknown }) => React.createElement('span', null, text) },
  }
}

form.addEventListener('input', () => sessionStorage.setItem(STORED, JSON.stringify(credentials())))
form.addEventListener('submit', (event) => event.preventDefault())
await restore()
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  // The viewer sets colours inline, where no theme can change them.
  syntaxHighlight: false,
  requestInterceptor: sign,
  plugins: [withoutNestedLinks],
  // The page has its own main part.
  onComplete: () => document.querySelector('main main')?.setAttribute('role', 'group'),
})
