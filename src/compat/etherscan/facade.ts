// The Etherscan-style facade: /api?module=...&action=... over the same index, for tools that speak nothing else.
import { type ChainNow, chainNow, type ExplorerOptions, ofOneState } from '../../explorer/state/chain-now.ts'
import { account } from './account.ts'
import { type EtherscanAnswer, EtherscanRefusal } from './answer.ts'
import { block, contract, logs, stats, token, transaction } from './chain.ts'
import { verifying } from './contract.ts'
import type { EtherscanQuery } from './query.ts'

export type Action = (now: ChainNow, query: EtherscanQuery) => Promise<EtherscanAnswer>

const modules: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  account,
  block,
  contract: { ...contract, ...verifying },
  logs,
  stats,
  token,
  transaction,
}

/** What is submitted is submitted once. */
const BESIDE_THE_CHAIN: ReadonlySet<Action> = new Set(Object.values(verifying))

export type EtherscanFacade = (query: EtherscanQuery) => Promise<EtherscanAnswer>

export function createEtherscanFacade(options: ExplorerOptions): EtherscanFacade {
  return async (query) => {
    try {
      const act = actionFrom(query)
      const begun = await chainNow(options)
      if (BESIDE_THE_CHAIN.has(act)) return await act(begun.now, query)
      return await ofOneState({ options, begun }, (now) => act(now, query))
    } catch (error) {
      if (error instanceof EtherscanRefusal) return error.answer
      throw error
    }
  }
}

/** Names in any case, as clients spell `getLogs` and `getlogs`. */
function actionFrom({ module = '', action = '' }: EtherscanQuery): Action {
  const actions = Object.hasOwn(modules, module.toLowerCase()) ? modules[module.toLowerCase()] : undefined
  if (!actions) throw new EtherscanRefusal('Error! Missing Or invalid Module name')
  const name = Object.keys(actions).find((each) => each.toLowerCase() === action.toLowerCase())
  if (name === undefined) throw new EtherscanRefusal('Error! Missing Or invalid Action name')
  return actions[name]!
}
