// The leanest page that fetches its data: an empty shell, one small script, the same API. A framework would only add to it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

function shell(style: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shell</title><link rel="stylesheet" href="${style}"><script type="module" src="/app.js"></script>
<table class="list"><tbody id="blocks"></tbody></table><table class="list"><tbody id="transactions"></tbody></table></html>`
}

function script(api: string): string {
  return `
const list = async (path, id, names) => {
  const { data } = await (await fetch('${api}/api/v5/chain' + path + '?chainShortName=DEV&limit=12')).json()
  const rows = Object.values(data[0]).find(Array.isArray)
  document.getElementById(id).append(...rows.map((row) => {
    const line = document.createElement('tr')
    for (const name of names) line.insertCell().textContent = row[name]
    return line
  }))
}
await Promise.all([
  list('/block/block-list', 'blocks', ['height', 'blockTime', 'txnCount', 'gasUsed']),
  list('/transaction/transaction-list', 'transactions', ['txid', 'input', 'output', 'amount']),
])`
}

/** With the stylesheet of our own pages, so that both paint the same. */
export async function startSpaShell(api: string): Promise<{ url: string; stop: () => void }> {
  const style = /href="(\/assets\/[^"]+\.css)"/.exec(await (await fetch(api)).text())![1]!
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script(api) : shell(api + style))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}
