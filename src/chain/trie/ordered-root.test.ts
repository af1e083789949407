import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { describe, expect, test } from 'vitest'
import { bytesToHex } from '../bytes/hex.ts'
import { encodeRlp } from '../bytes/rlp.ts'
import { orderedRoot } from './ordered-root.ts'

describe('ordered root', () => {
  // Around 16, 128 and 256 the spelling of the index, and with it the shape of the trie, changes.
  test.each([0, 1, 2, 16, 17, 127, 128, 129, 130, 255, 256, 257, 300])(
    'ordered root of %i values is that of the trie',
    async (count) => {
      const values = Array.from({ length: count }, (_, i) => new Uint8Array(1 + ((i * 7) % 60)).fill(i))
      const reference = new MerklePatriciaTrie()
      for (const [i, value] of values.entries()) await reference.put(encodeRlp(i), value)
      expect(orderedRoot(values)).toBe(bytesToHex(reference.root()))
    },
  )

  test('ordered root depends on the order', () => {
    const [a, b] = [Uint8Array.of(1), Uint8Array.of(2)]
    expect(orderedRoot([a, b])).not.toBe(orderedRoot([b, a]))
  })
})
