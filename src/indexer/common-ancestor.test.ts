import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../chain/bytes/hex.ts'
import { commonAncestor, ReorgTooDeep } from './common-ancestor.ts'

function hashOf(branch: string, height: number): Hex {
  return `0x${Buffer.from(`${branch}${height}`).toString('hex')}`
}

/** A stored chain and a node's, the same up to `fork`. */
function chains({ first, last, fork }: { first: number; last: number; fork: number }) {
  const asked: number[] = []
  return {
    asked,
    signal: new AbortController().signal,
    stored: { firstHeight: first, lastHeight: last, hashAt: async (height: number) => hashOf('old', height) },
    node: {
      call: async (_: string, [quantity]: readonly unknown[]) => {
        const height = Number(quantity)
        asked.push(height)
        return { hash: hashOf(height <= fork ? 'old' : 'new', height) }
      },
    },
  }
}

test('the search for a common ancestor finds where two chains part, with few questions', async () => {
  const heights = fc.tuple(fc.nat(1000), fc.nat(5000), fc.nat(5000)).map(([first, behind, depth]) => {
    const fork = first + behind
    return { first, fork, last: fork + 1 + depth }
  })
  await fc.assert(
    fc.asyncProperty(heights, async ({ first, fork, last }) => {
      const both = chains({ first, last, fork })
      expect(await commonAncestor(both, last)).toBe(fork)
      expect(both.asked.length).toBeLessThanOrEqual(2 * Math.log2(last - fork + 1) + 3)
    }),
  )
})

test('the search for a common ancestor stops where even the first stored block is another one', async () => {
  await expect(commonAncestor(chains({ first: 5, last: 40, fork: 4 }), 40)).rejects.toThrow(ReorgTooDeep)
  await expect(commonAncestor(chains({ first: 5, last: 5, fork: 4 }), 5)).rejects.toThrow('firstlight resync')
})
