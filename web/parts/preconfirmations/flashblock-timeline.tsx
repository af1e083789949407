// The flashblocks of one block in the order of arrival: time, number of transactions, gas.

import type { BlockPreconfirmations } from '../../../src/contract/pages.ts'
import { compact, counted, grouped } from '../text/numbers.ts'

type Flashblock = BlockPreconfirmations['flashblocks'][number]

export function FlashblockTimeline({
  preconfirmations,
  current,
}: {
  preconfirmations: ShownBlock
  current?: string | undefined
}) {
  const payloads = payloadsOf(preconfirmations.flashblocks)
  return (
    <div class="payloads">
      {payloads.map((payload, i) => (
        <section key={payload[0]!.payloadId} class={i < payloads.length - 1 ? 'payload superseded' : 'payload'}>
          {payloads.length > 1 && (
            <h2>
              Payload {i + 1} of {payloads.length}
              {i < payloads.length - 1 && ', replaced by the sequencer'}
            </h2>
          )}
          <ol class="flashblock-cards">
            {payload.map((flashblock, at) => (
              <FlashblockCard
                key={flashblock.flashblockIndex}
                flashblock={flashblock}
                gas={Number(flashblock.gasUsed) - Number(payload[at - 1]?.gasUsed ?? 0)}
                mostGas={mostGasIn(payload)}
                offsetMs={Number(flashblock.receivedTime) - Number(payload[0]!.receivedTime)}
                isCurrent={flashblock.flashblockIndex === current && i === payloads.length - 1}
              />
            ))}
            {i === payloads.length - 1 && preconfirmations.includedTime !== '' && (
              <li class="sealed">
                <a href={`/block/${preconfirmations.height}`}>Sealed</a>
                <span class="since">
                  +{grouped(String(Number(preconfirmations.includedTime) - firstMs(payload)))} ms
                </span>
                <span class="unit">{counted(preconfirmations.txnCount, 'transaction')} in the block</span>
              </li>
            )}
          </ol>
        </section>
      ))}
    </div>
  )
}

type ShownBlock = Pick<BlockPreconfirmations, 'height' | 'flashblocks' | 'includedTime' | 'txnCount'>

type FlashblockCardProps = {
  flashblock: Flashblock
  gas: number
  mostGas: number
  offsetMs: number
  isCurrent: boolean
}

function FlashblockCard({ flashblock, gas, mostGas, offsetMs, isCurrent }: FlashblockCardProps) {
  return (
    <li data-flashblock={flashblock.flashblockIndex} {...(isCurrent && { 'aria-current': 'true' })}>
      <a href={`/flashblock/${flashblock.height}/${flashblock.flashblockIndex}`}>
        <span class="hidden">Flashblock </span>
        {flashblock.flashblockIndex}
      </a>
      <span class="since">+{grouped(String(offsetMs))} ms</span>
      <span>{counted(flashblock.txnCount, 'transaction')}</span>
      <span class="unit">{compact(gas)} gas</span>
      <meter
        min={0}
        max={Math.max(1, mostGas)}
        value={gas}
        aria-label="Gas, compared with the largest flashblock of the block"
      />
    </li>
  )
}

function firstMs(payload: readonly Flashblock[]): number {
  return Number(payload[0]!.receivedTime)
}

function mostGasIn(payload: readonly Flashblock[]): number {
  return Math.max(...payload.map(({ gasUsed }, i) => Number(gasUsed) - Number(payload[i - 1]?.gasUsed ?? 0)))
}

/** One list per payload, oldest first: the sequencer may start building a block again. */
function payloadsOf(flashblocks: readonly Flashblock[]): Flashblock[][] {
  const payloads = new Map<string, Flashblock[]>()
  for (const each of flashblocks) payloads.set(each.attempt, [...(payloads.get(each.attempt) ?? []), each])
  return [...payloads.values()]
}
