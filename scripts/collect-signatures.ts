// npm run signatures
// Writes src/verification/signatures/well-known.txt, after the list in test/packages/abis has changed. The result is committed; a
// test fails when it is not up to date.
import { writeFileSync } from 'node:fs'
import { wellKnownFile, wellKnownSelectors } from '../test/support/well-known-selectors.ts'

const text = await wellKnownSelectors()
writeFileSync(wellKnownFile, text)
console.log(`wrote ${text.trim().split('\n').length} signatures`)
