// The latest flashblocks as bars, grouped by block; the height of a bar shows the number of transactions. Each new flashblock replaces
// the group of its block.
import type { FlashblockItem } from '../../../src/contract/pages.ts'
import { counted } from '../text/numbers.ts'

/** Heights are logarithmic, so that one transaction is visible beside a hundred. */
const TALLEST = Math.log2(1 + 128)
const MOST_BLOCKS = 12

export function FlashblockStrip({ flashblocks }: { flashblocks: readonly FlashblockItem[] }) {
  return (
    <section class="strip" aria-labelledby="flashblocks" hidden={flashblocks.length === 0}>
      <h2 id="flashblocks">
        <a href="/flashblock">Flashblocks</a>{' '}
        <a class="what" href="/about#words">
          What is this?
        </a>
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
                title={`Flashblock ${flashblockIndex}: ${counted(txnCount, 'transaction')}`}
              />
            ))}
          </span>
          <a href={`/block/${height}`}>{height}</a>
          <span class="hidden">
            : {counted(members.length, 'flashblock')},{' '}
            {counted(
              members.reduce((sum, { txnCount }) => sum + Number(txnCount), 0),
              'transaction',
            )}
          </span>
        </li>
      ))}
    </>
  )
}

/** Newest block first; inside a block, oldest flashblock first. */
function groupsOf(flashblocks: readonly FlashblockItem[]) {
  const groups = new Map<string, FlashblockItem[]>()
  for (const each of flashblocks) groups.set(each.height, [each, ...(groups.get(each.height) ?? [])])
  return Array.from(groups, ([height, members]) => ({ height, members })).slice(0, MOST_BLOCKS)
}
