// The Etherscan-style facade: /api?module=...&action=... over the same index, for tools that speak nothing else.
import { answerFromOneState, type ExplorerOptions, openChain } from '../../explorer/state/chain-context.ts'
import { account } from './account.ts'
import { type EtherscanAnswer, EtherscanRefusal } from './answer.ts'
import { block, contract, logs, stats, token, transaction } from './chain.ts'
import { verifying } from './contract.ts'
import type { Action, EtherscanQuery } from './query.ts'

const modules: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  account,
  block,
  contract: { ...contract, ...verifying },
  logs,
  stats,
  token,
  transaction,
}

/** Never repeated when the chain changes meanwhile: a source is submitted once. */
const BESIDE_THE_CHAIN: ReadonlySet<Action> = new Set(Object.values(verifying))

/** `client`: who is charged for a submission. */
export type EtherscanFacade = (query: EtherscanQuery, client: string) => Promise<EtherscanAnswer>

export function createEtherscanFacade(options: ExplorerOptions): EtherscanFacade {
  return async (query, client) => {
    try {
      const act = actionFrom(query)
      const opened = await openChain(options)
      if (BESIDE_THE_CHAIN.has(act)) return await act(opened.chain, query, client)
      return await answerFromOneState({ options, opened }, (chain) => act(chain, query, client))
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
