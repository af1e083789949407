import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wellKnownFile, wellKnownSignatures } from '../support/well-known-signatures.ts'

test('the table of well-known signatures is what `npm run signatures` makes of its packages', {
  timeout: 300_000,
}, async () => {
  const [written, made] = [readFileSync(wellKnownFile, 'utf8'), await wellKnownSignatures()].map((text) =>
    text.split('\n'),
  )
  expect(written).toEqual(made)
})
