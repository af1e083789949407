// eth_simulateV1 on the recorded chain: blocks, hashes, calls, logs and refusals as the node answered them.
import { describe, expect, test } from 'vitest'
import { simulate } from '../../devnet/rpc/methods/simulate.ts'
import { headerHash } from '../../src/chain/codec/header.ts'
import { furtherRpcMethods } from '../../src/contract/rpc-further.ts'
import { simulatedWithHashes, simulatedWithTransactions } from '../../src/evm/call/simulation-view.ts'
import { runToEnd } from '../../src/evm/core/pausable-run.ts'
import { JsonRpcError } from '../../src/lib/json/json-rpc.ts'
import { exchangesOf, executeChain, isRecorded } from '../support/recorded-chain.ts'

if (isRecorded) describe('a simulation', describeSimulations)
else test.runIf(isRecorded)('a simulation', () => {})

/** Where we differ, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'ethSimulate-blobs.io': 'calls with blobs are shown as transactions without',
  'ethSimulate-override-ecrecover.io': 'a precompile is warm where it was moved to',
  'ethSimulate-overflow-nonce.io': 'a nonce does not begin again at zero',
  'ethSimulate-overflow-nonce-validation.io': 'the price is looked at before the nonce',
  'ethSimulate-use-as-many-features-as-possible.io': 'logs that did not survive are not counted',
}

function describeSimulations(): void {
  const { state, trie, head } = executeChain()
  const { header, env } = head
  const common = { header, hash: headerHash(header), env, gasCap: 50_000_000n }
  const onHead = exchangesOf('eth_simulateV1').filter(
    ({ name, params }) => (params[1] ?? 'latest') === 'latest' && !(name in OTHERWISE),
  )

  const answerTo = (params: unknown): unknown => {
    const [simulation] = furtherRpcMethods.eth_simulateV1.params.parse(params)
    const { blockStateCalls, validation, traceTransfers, returnFullTransactions } = simulation
    const start = { ...common, isStrict: validation === true, showsTransfers: traceTransfers === true }
    try {
      const blocks = runToEnd(simulate({ source: state, trie }, start, blockStateCalls))
      return { result: blocks.map(returnFullTransactions ? simulatedWithTransactions : simulatedWithHashes) }
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error
      return { error: { code: error.code, message: error.message } }
    }
  }

  test('the simulation is recorded often enough to mean something', () => expect(onHead.length).toBeGreaterThan(50))

  test.each(onHead)('the simulation $name gives what the node recorded', ({ params, result, error }) => {
    // It writes addresses in messages with capitals.
    const recorded = error ? { error: { ...error, message: error.message.toLowerCase() } } : { result }
    const ours = answerTo(params) as { error?: { message: string } }
    if (ours.error) ours.error.message = ours.error.message.toLowerCase()
    expect(ours).toEqual(recorded)
  })
}
