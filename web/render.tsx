// The pages as the server knows them: a name, its data in, HTML out. Built into one module that `src/http/pages` loads.
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { BlockItem, FlashblockItem, TransactionItem } from '../src/contract/pages.ts'
import { AboutPage } from './pages/about.tsx'
import { AddressPage } from './pages/address.tsx'
import { BlockPage } from './pages/block.tsx'
import { AccountsPage, BlocksPage, LargePage, TransactionsPage, UnconfirmedPage } from './pages/chain-lists.tsx'
import { ChartsPage } from './pages/charts.tsx'
import { ConsoleIssuedPage, ConsoleKeyPage, ConsolePage, ConsoleSignInPage } from './pages/console.tsx'
import { ContractsPage } from './pages/contracts.tsx'
import { DocsPage } from './pages/docs.tsx'
import { FlashblockPage, FlashblocksPage, flashblockColumns, flashblockKeys } from './pages/flashblocks.tsx'
import { FutureBlockPage } from './pages/future-block.tsx'
import { GasPage } from './pages/gas.tsx'
import { type ChainFigures, Figures, HomePage, homeBlockColumns, homeTransactionColumns } from './pages/home.tsx'
import { PendingTransactionPage } from './pages/pending-transaction.tsx'
import { ProblemPage } from './pages/problem.tsx'
import { QualityPage } from './pages/quality.tsx'
import { SearchPage } from './pages/search.tsx'
import { TokenPage } from './pages/token.tsx'
import { TokensPage } from './pages/tokens.tsx'
import { LabelsPage, ToolsPage } from './pages/tools.tsx'
import { TransactionPage } from './pages/transaction.tsx'
import { VerifyPage } from './pages/verify.tsx'
import { JobProgress, type VerifyJob, VerifyJobPage } from './pages/verify-job.tsx'
import { blockColumns, blockKeys, lineOf, transactionColumns, transactionKeys } from './parts/chain/transactions.tsx'
import { NamesProvider } from './parts/page/names.tsx'
import { Notices } from './parts/page/notices.tsx'
import type { PageShell } from './parts/page/page-shell.ts'
import { type Column, Row } from './parts/page/table.tsx'
import { StripBlocks } from './parts/preconfirmations/flashblock-strip.tsx'
import { Timeline, type TimelineProps } from './parts/preconfirmations/timeline.tsx'

const pages = {
  about: AboutPage,
  accounts: AccountsPage,
  address: AddressPage,
  block: BlockPage,
  blocks: BlocksPage,
  charts: ChartsPage,
  console: ConsolePage,
  consoleSignIn: ConsoleSignInPage,
  consoleIssued: ConsoleIssuedPage,
  consoleKey: ConsoleKeyPage,
  contracts: ContractsPage,
  docs: DocsPage,
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
  unconfirmed: UnconfirmedPage,
  verify: VerifyPage,
  verifyJob: VerifyJobPage,
  pendingTransaction: PendingTransactionPage,
}

type Pages = typeof pages
export type PageName = keyof Pages

/** A page by name with the data it shows. */
export type View = { [N in PageName]: { readonly page: N; readonly data: Parameters<Pages[N]>[0]['data'] } }[PageName]

function renderPage(view: View, shell: PageShell): string {
  const Page = pages[view.page] as (props: { shell: PageShell; data: unknown }) => JSX.Element
  return `<!doctype html>${renderToString(<Page shell={shell} data={view.data} />)}`
}

function rowsOf<R>(rows: readonly R[], shell: PageShell, table: TableOf<R>): string {
  return renderToString(
    <NamesProvider shell={shell}>
      {rows.map((row) => (
        <Row columns={table.columns(shell)} row={row} id={table.keyOf(row)} version={table.versionOf(row)} />
      ))}
    </NamesProvider>,
  )
}

type TableOf<R> = {
  readonly columns: (shell: PageShell) => readonly Column<R>[]
  readonly keyOf: (row: R) => string
  readonly versionOf: (row: R) => string
}

/** Updates for pages that are open, as the same HTML that a fresh page would show. */
const renderUpdates = {
  blocks: (items: readonly BlockItem[], shell: PageShell): string =>
    rowsOf(items, shell, { columns: blockColumns, ...blockKeys }),
  transactions: (items: readonly TransactionItem[], shell: PageShell): string =>
    rowsOf(items.map(lineOf), shell, { columns: transactionColumns, ...transactionKeys }),
  homeBlocks: (items: readonly BlockItem[], shell: PageShell): string =>
    rowsOf(items, shell, { columns: homeBlockColumns, ...blockKeys }),
  homeTransactions: (items: readonly TransactionItem[], shell: PageShell): string =>
    rowsOf(items.map(lineOf), shell, { columns: homeTransactionColumns, ...transactionKeys }),
  job: (job: VerifyJob): string => renderToString(<JobProgress job={job} />),
  timeline: (props: TimelineProps): string => renderToString(<Timeline {...props} />),
  flashblocks: (flashblocks: readonly FlashblockItem[]): string =>
    renderToString(<StripBlocks flashblocks={flashblocks} />),
  flashblockList: (items: readonly FlashblockItem[], shell: PageShell): string =>
    rowsOf(items, shell, { columns: flashblockColumns, ...flashblockKeys }),
  notices: (notices: readonly string[]): string => renderToString(<Notices notices={notices} />),
  figures: (figures: ChainFigures): string => renderToString(<Figures figures={figures} />),
}

/** What the server loads of this module. */
export const rendering = { renderPage, renderUpdates }
