import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { PageShell } from '../parts/page/page-shell.ts'
import { SearchPage } from './search.tsx'

const shell: PageShell = {
  chain: { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' },
  path: '/search',
  theme: 'system',
  clock: 'age',
  nowMs: 0,
  assets: { style: '', script: '' },
  version: '',
}

function found(count: number): string {
  const tokens = Array.from({ length: count }, (_, i) => ({
    address: `0x${String(i).padStart(40, '0')}`,
    name: `Dawn ${i}`,
    symbol: 'DAWN',
    standard: 'ERC-20',
  }))
  return renderToString(<SearchPage shell={shell} data={{ query: 'dawn', lookedFor: [], tokens, contracts: [] }} />)
}

describe('SearchPage', () => {
  test('the page says so where there may be more results than it shows', () => {
    expect(found(25)).toContain('Type more of the name')
    expect(found(24)).not.toContain('Type more of the name')
  })
})
