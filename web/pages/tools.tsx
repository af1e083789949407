// Tools that run in the browser: for developers (islands/tools.ts), and private labels (islands/labels). Only a transaction that is
// broadcast is sent to the server.
import type { ComponentChildren } from 'preact'
import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'

export function ToolsPage({ shell }: PageProps<object>) {
  return (
    <Layout shell={shell} title="Tools" about="Broadcast transactions, convert units, decode calls.">
      <PageHead title="Tools">
        <p class="summary">
          These tools run in your browser; only broadcasting sends data to the server.{' '}
          <span class="without-script">
            They need JavaScript; <code>cast</code> does the same in a terminal.
          </span>
        </p>
      </PageHead>
      <div class="tools">
        <Tool name="broadcast" title="Broadcast a transaction">
          <label>
            Signed transaction, as hex
            <textarea name="raw" required spellcheck={false} autocomplete="off" placeholder="0x02f8…" />
          </label>
          <button type="submit" class="primary">
            Broadcast
          </button>
        </Tool>
        <Tool name="decode" title="Decode a call">
          <label>
            Function, or the ABI as JSON
            <input
              name="abi"
              required
              spellcheck={false}
              autocomplete="off"
              value="transfer(address to, uint256 amount)"
            />
          </label>
          <label>
            Data, as hex
            <textarea name="data" required spellcheck={false} autocomplete="off" placeholder="0xa9059cbb…" />
          </label>
          <button type="submit" class="primary">
            Decode
          </button>
        </Tool>
        <Tool name="units" title="Units">
          {(['Wei', 'Gwei', shell.chain.symbol] as const).map((word, i) => (
            <label key={word}>
              {word}
              <input name={['0', '9', '18'][i]} inputMode="decimal" spellcheck={false} autocomplete="off" />
            </label>
          ))}
        </Tool>
        <Tool name="text" title="Text and hex">
          <label>
            Text, in UTF-8
            <textarea name="text" spellcheck={false} autocomplete="off" />
          </label>
          <label>
            Hex
            <textarea name="hex" spellcheck={false} autocomplete="off" />
          </label>
        </Tool>
        <Tool name="address" title="Address with checksum">
          <label>
            Address
            <input name="address" spellcheck={false} autocomplete="off" placeholder="0x…" />
          </label>
        </Tool>
      </div>
    </Layout>
  )
}

function Tool({ name, title, children }: { name: string; title: string; children: ComponentChildren }) {
  return (
    <form class="panel form" data-tool={name}>
      <h2>{title}</h2>
      {/* Disabled until the script is loaded: without it the form would put its fields into the URL. */}
      <fieldset disabled>{children}</fieldset>
      <output aria-live="polite" />
    </form>
  )
}

/** Labels are stored in the browser only; the server never sees them. */
export function LabelsPage({ shell }: PageProps<object>) {
  return (
    <Layout shell={shell} title="Private labels">
      <PageHead title="Private labels">
        <p class="summary">
          Names that you give to addresses. They are stored in this browser only and shown wherever the address appears.{' '}
          <span class="without-script">They need JavaScript.</span>
        </p>
      </PageHead>
      <section class="labels" data-labels>
        <p class="label-files">
          <button type="button" class="plain" data-export>
            Save to a file
          </button>
          <label class="plain">
            Load from a file
            <input type="file" accept="application/json,.json" class="hidden" data-import />
          </label>
        </p>
        <output aria-live="polite" />
        <table class="list" hidden>
          <caption class="hidden">Private labels</caption>
          <thead>
            <tr>
              <th scope="col">Label</th>
              <th scope="col">Address</th>
              <th scope="col">Remove</th>
            </tr>
          </thead>
          <tbody />
        </table>
      </section>
    </Layout>
  )
}
