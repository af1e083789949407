// Logs of canonical and preconfirmed blocks in one list: up to the canonical head from the node, above it from the pending chain.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { asObject, quantityOf } from '../../chain/rpc/fields.ts'
import { logFilterFrom } from '../../chain/rpc/log-filter.ts'
import type { LogQuery } from '../../contract/rpc-params.ts'
import { invalidParams, serverError } from '../../evm/call/call-failures.ts'
import { limitExceeded } from '../../lib/json/json-rpc.ts'
import { logsOf } from '../state/block-json.ts'
import { isTip, locateByHash, type OptionalBlock } from '../state/locate-block.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

const MAX_BLOCKS = 10_000
const MAX_LOGS = 20_000

export const logMethods: Pick<RpcHandlers, 'eth_getLogs'> = {
  async eth_getLogs(scope, [query], raw) {
    if (query.blockHash) return logsOfHash(scope, query, query.blockHash, raw)
    const { snapshot } = scope.view
    if (snapshot.tip === null) return scope.ask('eth_getLogs', [withoutPendingTags(raw[0] as object)])
    const first = await heightOf(scope, query.fromBlock)
    const last = await heightOf(scope, query.toBlock)
    if (first > last) throw invalidParams('invalid block range params: fromBlock is above toBlock')
    if (last - first >= MAX_BLOCKS) throw limitExceeded(`query exceeds max block range ${MAX_BLOCKS}`)
    const head = snapshot.canonical!.height
    const canonical = first > head ? [] : await canonicalLogs(scope, raw, first, Math.min(last, head))
    const pending = snapshot.blocks
      .filter(({ header }) => header.number >= first && header.number <= last)
      .flatMap((block) => logsOf(block, logFilterFrom(query)))
    if (canonical.length + pending.length > MAX_LOGS) {
      throw limitExceeded(`query exceeds max results ${MAX_LOGS}: narrow the block range`)
    }
    return [...canonical, ...pending]
  },
}

function logsOfHash(scope: Scope, query: LogQuery, hash: Hex, raw: readonly unknown[]): unknown {
  const found = locateByHash(scope, hash)
  return found.type === 'known' ? logsOf(found.block, logFilterFrom(query)) : scope.ask('eth_getLogs', raw)
}

async function canonicalLogs(scope: Scope, [raw]: readonly unknown[], from: number, to: number): Promise<unknown[]> {
  const filter = { ...(raw as object), fromBlock: toQuantity(from), toBlock: toQuantity(to) }
  const logs = await scope.ask('eth_getLogs', [filter])
  if (!Array.isArray(logs)) throw serverError('the node answered eth_getLogs without a list')
  return logs
}

/** A number may be above the tip, where there are no logs yet. */
async function heightOf(scope: Scope, parameter: OptionalBlock): Promise<number> {
  const { canonical, tip } = scope.view.snapshot
  if (isTip(scope, parameter)) return tip!.header.number
  if (!parameter || (parameter.type === 'tag' && parameter.tag === 'latest')) return canonical!.height
  if (parameter.type === 'number') return parameter.number
  if (parameter.type === 'hash') throw invalidParams('a range goes from number to number: use blockHash')
  const block = await scope.ask('eth_getBlockByNumber', [parameter.tag, false])
  if (block === null) throw serverError('unknown block')
  return Number(quantityOf(asObject(block, 'block'), 'number'))
}

/** While nothing is pending, `pending` means `latest`. */
function withoutPendingTags(filter: object): object {
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, value === 'pending' ? 'latest' : value]))
}
