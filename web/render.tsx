// The pages as the server knows them: a name, its data in, HTML out. Built into one module that `src/http/pages` loads.
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Frame } from './frame.ts'
import { AccountsPage } from './pages/accounts.tsx'
import { AddressPage } from './pages/address.tsx'
import { BlockPage } from './pages/block.tsx'
import { BlocksPage } from './pages/blocks.tsx'
import { ChartsPage } from './pages/charts.tsx'
import { ConsoleDoorPage, ConsoleIssuedPage, ConsoleKeyPage, ConsolePage } from './pages/console.tsx'
import { ContractsPage } from './pages/contracts.tsx'
import { FlashblockPage } from './pages/flashblock.tsx'
import { FlashblocksPage, flashblockColumns, flashblockKey } from './pages/flashblocks.tsx'
import { FutureBlockPage } from './pages/future-block.tsx'
import { GasPage } from './pages/gas.tsx'
import { type ChainFigures, Figures, HomePage, homeBlockColumns, homeTransactionColumns } from './pages/home.tsx'
import { LabelsPage } from './pages/labels.tsx'
import { LargePage } from './pages/large.tsx'
import { ProblemPage } from './pages/problem.tsx'
import { QualityPage } from './pages/quality.tsx'
import { SearchPage } from './pages/search.tsx'
import { TokenPage } from './pages/token.tsx'
import { TokensPage } from './pages/tokens.tsx'
import { ToolsPage } from './pages/tools.tsx'
import { TransactionPage } from './pages/transaction.tsx'
import { TransactionsPage } from './pages/transactions.tsx'
import { VerifyPage } from './pages/verify.tsx'
import { JobProgress, type VerifyJob, VerifyJobPage } from './pages/verify-job.tsx'
import { WaitingTransactionPage } from './pages/waiting-transaction.tsx'
import { type FlashblockItem, FlashblockStrip } from './parts/flashblock-strip.tsx'
import { blockColumns, lineOf, transactionColumns } from './parts/lists.tsx'
import { Row } from './parts/table.tsx'
import { Timeline, type TimelineProps } from './parts/timeline.tsx'
import type { BlockItem, TransactionItem } from './records.ts'

const pages = {
  accounts: AccountsPage,
  address: AddressPage,
  block: BlockPage,
  blocks: BlocksPage,
  charts: ChartsPage,
  console: ConsolePage,
  consoleDoor: ConsoleDoorPage,
  consoleIssued: ConsoleIssuedPage,
  consoleKey: ConsoleKeyPage,
  contracts: ContractsPage,
  flashblock: FlashblockPage,
  flashblocks: FlashblocksPage,
  futureBlock: FutureBlockPage,
  gas: GasPage,
  home: HomePage,
  labels: LabelsPage,
  large: LargePage,
  problem: ProblemPage,
  quality: QualityPage,
  search: SearchPage,
  token: TokenPage,
  tokens: TokensPage,
  tools: ToolsPage,
  transaction: TransactionPage,
  transactions: TransactionsPage,
  verify: VerifyPage,
  verifyJob: VerifyJobPage,
  waitingTransaction: WaitingTransactionPage,
}

type Pages = typeof pages
export type PageName = keyof Pages

/** A page by name with the data it shows. */
export type View = { [N in PageName]: { readonly page: N; readonly data: Parameters<Pages[N]>[0]['data'] } }[PageName]

const renderPage = (view: View, frame: Frame): string => {
  const Page = pages[view.page] as (props: { frame: Frame; data: unknown }) => JSX.Element
  return `<!doctype html>${renderToString(<Page frame={frame} data={view.data} />)}`
}

/** News for pages that are open, as the same HTML that a fresh page would show. */
const renderNews = {
  blocks: (items: readonly BlockItem[], frame: Frame): string =>
    items
      .map((row) => renderToString(<Row columns={blockColumns(frame)} row={row} id={row.height} version={row.hash} />))
      .join(''),
  transactions: (items: readonly TransactionItem[], frame: Frame): string =>
    items
      .map((item) =>
        renderToString(
          <Row columns={transactionColumns(frame)} row={lineOf(item)} id={item.txid} version={item.height} />,
        ),
      )
      .join(''),
  homeBlocks: (items: readonly BlockItem[], frame: Frame): string =>
    items
      .map((row) =>
        renderToString(<Row columns={homeBlockColumns(frame)} row={row} id={row.height} version={row.hash} />),
      )
      .join(''),
  homeTransactions: (items: readonly TransactionItem[], frame: Frame): string =>
    items
      .map((item) =>
        renderToString(
          <Row columns={homeTransactionColumns(frame)} row={lineOf(item)} id={item.txid} version={item.height} />,
        ),
      )
      .join(''),
  job: (job: VerifyJob): string => renderToString(<JobProgress job={job} />),
  timeline: (props: TimelineProps): string => renderToString(<Timeline {...props} />),
  flashblocks: (flashblocks: readonly FlashblockItem[]): string =>
    renderToString(<FlashblockStrip flashblocks={flashblocks} />),
  flashblockList: (items: readonly FlashblockItem[], frame: Frame): string =>
    items
      .map((row) =>
        renderToString(<Row columns={flashblockColumns(frame)} row={row} id={flashblockKey(row)} version={row.hash} />),
      )
      .join(''),
  figures: (figures: ChainFigures): string => renderToString(<Figures figures={figures} />),
}

/** What the server loads of this module. */
export const rendering = { renderPage, renderNews }
