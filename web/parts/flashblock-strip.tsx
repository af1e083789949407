// The last flashblocks in a row, each block a group, each flashblock as high as it has transactions. Replaced as blocks come.
import type { PageOf } from '../records.ts'

export type FlashblockItem = PageOf<'flashblockList'>['flashblockList'][number]

const TALLEST = 12

export const FlashblockStrip = ({ flashblocks }: { flashblocks: readonly FlashblockItem[] }) => {
  if (flashblocks.length === 0) return <div class="strip" data-live-part="flashblocks" hidden />
  return (
    <section class="strip" data-live-part="flashblocks" aria-labelledby="flashblocks">
      <h2 id="flashblocks">
        <a href="/flashblock">Flashblocks</a>, the newest block first
      </h2>
      <ol>
        {groupsOf(flashblocks).map(({ height, members }) => (
          <li key={height}>
            <span class="bars" aria-hidden="true">
              {members.map(({ flashblockIndex, payloadId, txnCount }) => (
                <meter
                  key={payloadId + flashblockIndex}
                  min={0}
                  max={TALLEST}
                  value={Math.min(TALLEST, Number(txnCount))}
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
      </ol>
    </section>
  )
}

/** Newest block first, in each block the first flashblock first. */
const groupsOf = (flashblocks: readonly FlashblockItem[]) => {
  const groups = new Map<string, FlashblockItem[]>()
  for (const each of flashblocks) groups.set(each.height, [each, ...(groups.get(each.height) ?? [])])
  return Array.from(groups, ([height, members]) => ({ height, members }))
}
