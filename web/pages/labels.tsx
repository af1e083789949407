import { Layout } from '../parts/layout.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'

/** The labels are the browser's; the server knows none of them. */
export function LabelsPage({ shell }: PageProps<object>) {
  return (
    <Layout shell={shell} title="Private labels">
      <PageHead title="Private labels">
        <p class="summary">
          Names that you give to addresses. They are kept in this browser, shown wherever the address stands, and sent
          nowhere. <span class="without-script">They need JavaScript.</span>
        </p>
      </PageHead>
      <section class="labels" data-labels>
        <p class="label-files">
          <button type="button" class="plain" data-export>
            Save to a file
          </button>
          <label class="plain">
            Read from a file
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
