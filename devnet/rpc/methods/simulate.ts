import { simulation } from '../../../src/contract/rpc-further.ts'
import { simulatedWithHashes, simulatedWithTransactions } from '../../../src/evm/call/simulation-view.ts'
import { stateIsGone, stateOf } from '../block-lookup.ts'
import { method } from '../method.ts'
import { block } from '../params.ts'
import { simulate } from '../simulation.ts'
import { CALL_GAS_CAP } from './calls.ts'

export const simulateMethods = {
  eth_simulateV1: method({ simulation, block }, ({ chain }, args) => {
    const { block, at, source } = stateOf(chain, args.block)
    const trie = chain.trieAt(at)
    if (trie === null) throw stateIsGone(block)
    const { blockStateCalls, validation, traceTransfers, returnFullTransactions } = args.simulation
    const start = {
      header: block.header,
      hash: block.hash,
      env: chain.envOf(block.header),
      gasCap: CALL_GAS_CAP,
      isStrict: validation === true,
      showsTransfers: traceTransfers === true,
    }
    const blocks = simulate({ source, trie }, start, blockStateCalls)
    return blocks.map(returnFullTransactions === true ? simulatedWithTransactions : simulatedWithHashes)
  }),
}
