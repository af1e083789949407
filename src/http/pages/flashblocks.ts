import { Failure } from '../../contract/failure.ts'
import { flashblockContent } from '../../explorer/flashblock-content.ts'
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
    blockAccount({ ask }, height),
  ])
  if (!flashblock) {
    throw new Failure('unknownHeight', `Flashblock ${index} of block ${height} is not known: they are kept for a day.`)
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

/** What the account of preconfirmations knows of a block. */
export const blockAccount = async ({ ask }: Pick<Visit, 'ask'>, height: string) =>
  (await ask('preconfirmationBlock', { height })).data[0]
