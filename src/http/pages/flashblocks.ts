import type { ReplayData } from '../../../web/parts/preconfirmations/replay.tsx'
import { Failure } from '../../contract/failure.ts'
import { flashblockContent } from '../../explorer/pages/flashblock-content.ts'
import type { PageLoader, Visit } from './visit.ts'

const PAGE_ROWS = '25'

export const flashblocksPage: PageLoader = async ({ ask, query }) => ({
  page: 'flashblocks',
  data: (await ask('flashblockList', { page: query.page, limit: PAGE_ROWS })).data[0],
})

export const flashblockPage: PageLoader = async ({ ask, params }) => {
  const { number: height = '', index = '' } = params
  const [[flashblock], block] = await Promise.all([
    ask('flashblockDetail', { height, index }).then(({ data }) => data),
    blockPreconfirmations({ ask }, height),
  ])
  if (!flashblock) {
    throw new Failure(
      'unknownHeight',
      `Flashblock ${index} of block ${height} is not known. Flashblocks are stored for one day.`,
    )
  }
  const siblings = (block?.flashblocks ?? []).filter(({ attempt }) => attempt === flashblock.attempt)
  const before = siblings.findLast((each) => Number(each.flashblockIndex) < Number(flashblock.flashblockIndex))
  const gasBefore = before?.gasUsed ?? '0'
  return {
    page: 'flashblock',
    data: {
      flashblock,
      siblings,
      gasBefore,
      isSealed: (block?.blockHash ?? '') !== '',
      content: flashblockContent(flashblock.message, Number(gasBefore)),
    },
  }
}

/** The block as it was after the requested flashblock, or after the last one. */
export async function replayOf(
  { ask, query }: Pick<Visit, 'ask' | 'query'>,
  preconfirmations: Awaited<ReturnType<typeof blockPreconfirmations>>,
): Promise<ReplayData | undefined> {
  const last = preconfirmations?.flashblocks.at(-1)
  if (!preconfirmations || !last) return undefined
  const payload = preconfirmations.flashblocks.filter(({ attempt }) => attempt === last.attempt)
  const at = payload.find(({ flashblockIndex }) => flashblockIndex === query.at) ?? last
  const shown = payload.slice(0, payload.indexOf(at) + 1)
  const details = await Promise.all(
    shown.map(({ height, flashblockIndex: index }) => ask('flashblockDetail', { height, index })),
  )
  const contents = details.flatMap(({ data: [detail] }, i) =>
    detail ? [flashblockContent(detail.message, Number(shown[i - 1]?.gasUsed ?? 0))] : [],
  )
  return {
    at,
    indexes: payload.map(({ flashblockIndex }) => flashblockIndex),
    startedTime: payload[0]!.receivedTime,
    transactions: contents.flatMap(({ transactions }, i) =>
      transactions.map((each) => ({ ...each, flashblockIndex: shown[i]!.flashblockIndex })),
    ),
    isTruncated: contents.some(({ isTruncated }) => isTruncated),
  }
}

/** The preconfirmation record of a block. */
export async function blockPreconfirmations({ ask }: Pick<Visit, 'ask'>, height: string) {
  return (await ask('preconfirmationBlock', { height })).data[0]
}
