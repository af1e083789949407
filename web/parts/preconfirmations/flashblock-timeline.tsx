// The flashblocks of one block in the order in which they came: when, with how many transactions, with how much gas.

import type { BlockPreconfirmations } from '../../../src/contract/pages.ts'
import { compact, grouped } from '../text/numbers.ts'

type Flashblock = BlockPreconfirmations['flashblocks'][number]

export function FlashblockTimeline({ account, current }: { account: FilmedBlock; current?: string | undefined }) {
  const reels = reelsOf(account.flashblocks)
  return (
    <div class="reels">
      {reels.map((reel, i) => (
        <section key={reel[0]!.payloadId} class={i < reels.length - 1 ? 'reel superseded' : 'reel'}>
          {reels.length > 1 && (
            <h2>
              Payload {i + 1} of {reels.length}
              {i < reels.length - 1 && ', begun anew by the sequencer'}
            </h2>
          )}
          <ol class="film">
            {reel.map((flashblock, at) => (
              <Picture
                key={flashblock.flashblockIndex}
                flashblock={flashblock}
                gas={Number(flashblock.gasUsed) - Number(reel[at - 1]?.gasUsed ?? 0)}
                mostGas={mostGasIn(reel)}
                offsetMs={Number(flashblock.receivedTime) - Number(reel[0]!.receivedTime)}
                isCurrent={flashblock.flashblockIndex === current && i === reels.length - 1}
              />
            ))}
            {i === reels.length - 1 && account.includedTime !== '' && (
              <li class="sealed">
                <a href={`/block/${account.height}`}>Sealed</a>
                <span class="since">+{grouped(String(Number(account.includedTime) - firstMs(reel)))} ms</span>
                <span class="unit">{account.txnCount} transactions in the block</span>
              </li>
            )}
          </ol>
        </section>
      ))}
    </div>
  )
}

type FilmedBlock = Pick<BlockPreconfirmations, 'height' | 'flashblocks' | 'includedTime' | 'txnCount'>

type PictureProps = { flashblock: Flashblock; gas: number; mostGas: number; offsetMs: number; isCurrent: boolean }

function Picture({ flashblock, gas, mostGas, offsetMs, isCurrent }: PictureProps) {
  return (
    <li data-picture={flashblock.flashblockIndex} {...(isCurrent && { 'aria-current': 'true' })}>
      <a href={`/flashblock/${flashblock.height}/${flashblock.flashblockIndex}`}>
        <span class="hidden">Flashblock </span>
        {flashblock.flashblockIndex}
      </a>
      <span class="since">+{grouped(String(offsetMs))} ms</span>
      <span>
        {flashblock.txnCount} {flashblock.txnCount === '1' ? 'transaction' : 'transactions'}
      </span>
      <span class="unit">{compact(gas)} gas</span>
      <meter min={0} max={Math.max(1, mostGas)} value={gas} aria-label="Gas, against the fullest of its block" />
    </li>
  )
}

function firstMs(reel: readonly Flashblock[]): number {
  return Number(reel[0]!.receivedTime)
}

function mostGasIn(reel: readonly Flashblock[]): number {
  return Math.max(...reel.map(({ gasUsed }, i) => Number(gasUsed) - Number(reel[i - 1]?.gasUsed ?? 0)))
}

/** A payload each, oldest first: a builder may begin anew. */
function reelsOf(flashblocks: readonly Flashblock[]): Flashblock[][] {
  const reels = new Map<string, Flashblock[]>()
  for (const each of flashblocks) reels.set(each.attempt, [...(reels.get(each.attempt) ?? []), each])
  return [...reels.values()]
}
