// Logs of blocks that are there already.
import { mayMatchBloom } from '../../../src/chain/rpc/log-filter.ts'
import type { RpcLog } from '../../../src/chain/rpc/types.ts'
import { invalidParams, serverError } from '../../../src/evm/call/call-failures.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import { findBlock } from '../block-lookup.ts'
import { logsOf } from '../block-view.ts'
import { overLimit } from '../failures.ts'
import { type LogQuery, logQuery } from '../filters.ts'
import { method, yieldWhenSliceIsUsed } from '../method.ts'
import { type BlockParameter, LATEST } from '../params.ts'

const MAX_BLOCKS = 10_000
const MAX_LOGS = 20_000

export const logMethods = {
  eth_getLogs: method({ filter: logQuery }, ({ chain }, { filter }) => findLogs(chain, filter)),
}

export async function findLogs(chain: DevnetChain, query: LogQuery): Promise<RpcLog[]> {
  if (query.blockHash) {
    const block = chain.blockByHash(query.blockHash)
    if (block === null) throw serverError('unknown block')
    return logsOf(block, query)
  }
  const { header, hash } = chain.head()
  const head = header.number
  const first = heightOf(chain, query.fromBlock ?? LATEST)
  const last = heightOf(chain, query.toBlock ?? LATEST)
  if (first > last) throw invalidParams('invalid block range params: fromBlock is above toBlock')
  if (last - first >= MAX_BLOCKS) throw overLimit(`query exceeds max block range ${MAX_BLOCKS}`)
  const logs: RpcLog[] = []
  for (let number = first; number <= Math.min(last, head); number++) {
    await yieldWhenSliceIsUsed()
    if (!mayMatchBloom(query, chain.bloomOf(number)!)) continue
    logs.push(...logsOf(chain.blockByNumber(number)!, query))
    if (logs.length > MAX_LOGS) throw overLimit(`query returned more than ${MAX_LOGS} results; narrow the block range`)
  }
  // A reorg may have happened while other work ran: logs that were found so far may be gone.
  if (chain.hashOf(head) !== hash) return findLogs(chain, query)
  const open = chain.pending()
  const asksForOpen = isPending(query.toBlock) && open.header.number > head
  return asksForOpen ? [...logs, ...logsOf(open, query)] : logs
}

function isPending(parameter: BlockParameter | null | undefined) {
  return parameter?.type === 'tag' && parameter.tag === 'pending'
}

/** A number may be above the head: there is nothing there yet. */
function heightOf(chain: DevnetChain, parameter: BlockParameter): number {
  if (parameter.type === 'number') return parameter.number
  const block = findBlock(chain, parameter)
  if (block === null) throw serverError('unknown block')
  return block.header.number
}
