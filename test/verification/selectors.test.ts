import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wellKnownFile, wellKnownSelectors } from '../support/well-known-selectors.ts'

test('well-known.txt is what `npm run signatures` collects from its packages', {
  timeout: 300_000,
}, async () => {
  const [written, collected] = [readFileSync(wellKnownFile, 'utf8'), await wellKnownSelectors()].map((text) =>
    text.split('\n'),
  )
  expect(written).toEqual(collected)
})
