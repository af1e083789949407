// The page around the API viewer. The viewer and the signing come as scripts from this server; nothing is inline, and
// nothing comes from anywhere else.
export type DocsPageData = {
  chainFullName: string
  chainShortName: string
  hasDevKey: boolean
  /** Addresses of the built files. */
  assets: { script: string; style: string }
}

export const docsPage = ({ chainFullName, chainShortName, hasDevKey, assets }: DocsPageData): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · ${escaped(chainFullName)} · Firstlight</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="${assets.style}">
<script src="/docs/assets/swagger-ui-bundle.js" defer></script>
<script src="${assets.script}" type="module"></script>
</head>
<body data-chain="${escaped(chainShortName)}" data-dev-key="${hasDevKey ? 'yes' : 'no'}">
<header class="top">
<p><a href="/">Firstlight</a> / ${escaped(chainFullName)}</p>
<h1>API</h1>
<p>${escaped(chainFullName)} (<code>${escaped(chainShortName)}</code>). Every explorer request is signed; give a key here and
<em>Try it out</em> signs for you. <a href="/docs/openapi.json">openapi.json</a></p>
<form id="credentials" autocomplete="off">
<label>Key <input name="key" size="36" spellcheck="false"></label>
<label>Secret <input name="secret" type="password" size="32" autocomplete="off"></label>
<label>Passphrase <input name="passphrase" type="password" size="20" autocomplete="off"></label>
<output id="credentials-state"></output>
</form>
</header>
<main>
<details id="signed" hidden open>
<summary>What was signed: the text, the signature over it, and the same request as a shell script</summary>
<pre id="signed-text"></pre>
<pre id="signed-signature"></pre>
<pre id="signed-curl"></pre>
</details>
<div id="api"></div>
<noscript>The interactive viewer needs JavaScript. <a href="/docs/openapi.json">openapi.json</a> says the same.</noscript>
</main>
</body>
</html>
`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
