// The last flashblocks in a row, each block a group, each flashblock as high as it has transactions. A block comes anew with
// each of its flashblocks.
import type { FlashblockItem } from '../../../src/contract/pages.ts'

/** Doublings: each is a step, so that one transaction shows beside a hundred. */
const TALLEST = Math.log2(1 + 128)
const MOST_BLOCKS = 12

export function FlashblockStrip({ flashblocks }: { flashblocks: readonly FlashblockItem[] }) {
  return (
    <section class="strip" aria-labelledby="flashblocks" hidden={flashblocks.length === 0}>
      <h2 id="flashblocks">
        <a href="/flashblock">Flashblocks</a>, the newest block first
      </h2>
      <ol data-live-items="flashblocks" data-most={MOST_BLOCKS}>
        <StripBlocks flashblocks={flashblocks} />
      </ol>
    </section>
  )
}

export function StripBlocks({ flashblocks }: { flashblocks: readonly FlashblockItem[] }) {
  return (
    <>
      {groupsOf(flashblocks).map(({ height, members }) => (
        <li key={height} data-key={height}>
          <span class="bars" aria-hidden="true">
            {members.map(({ flashblockIndex, payloadId, txnCount }) => (
              <meter
                key={payloadId + flashblockIndex}
                min={0}
                max={TALLEST}
                value={Math.min(TALLEST, Math.log2(1 + Number(txnCount))).toFixed(2)}
                title={`Flashblock ${flashblockIndex}: ${txnCount} transactions`}
              />
            ))}
          </span>
          <a href={`/block/${height}`}>{height}</a>
          <span class="hidden">
            : {members.length} flashblocks, {members.reduce((sum, { txnCount }) => sum + Number(txnCount), 0)}{' '}
            transactions
          </span>
        </li>
      ))}
    </>
  )
}

/** Newest block first, in each block the first flashblock first. */
function groupsOf(flashblocks: readonly FlashblockItem[]) {
  const groups = new Map<string, FlashblockItem[]>()
  for (const each of flashblocks) groups.set(each.height, [each, ...(groups.get(each.height) ?? [])])
  return Array.from(groups, ([height, members]) => ({ height, members })).slice(0, MOST_BLOCKS)
}
