// The recorded chain executed from its genesis: every root, gas and hash that its headers commit to must come out, and every trace and
// call that a node answered on it.
import { describe, expect, test } from 'vitest'
import { exchangesOf, executeChain, isRecorded, type Outcome } from '../../../test/support/recorded-chain.ts'
import { bytesToHex, hexToBytes } from '../../chain/bytes/hex.ts'
import type { Header } from '../../chain/codec/header.ts'
import { revertReason } from '../../chain/trace/revert-reason.ts'
import { call } from '../call/call.ts'
import { WorldState } from '../state/world-state.ts'

if (isRecorded) describe('the recorded chain', describeChain)
else test.runIf(isRecorded)('the recorded chain', () => {})

function describeChain(): void {
  const { chain, state, head } = executeChain()

  test('executing the recorded chain gives every state root, receipts root, bloom, gas and requests hash', () => {
    expect(chain).toHaveLength(54)
    for (const { header, outcome } of chain) expect({ number: header.number, ...outcome }).toEqual(expectedOf(header))
  })

  test.each(recordedTraces())(
    'executing the recorded chain gives the operations of $hash as the node logged them',
    (recorded) => {
      const traced = chain.flatMap(({ traces }) => traces).find(({ hash }) => hash === recorded.hash)!
      const structLogs = traced.structLogs.map(({ storage, ...rest }) =>
        recorded.hasStorage && storage !== undefined ? { ...rest, storage } : rest,
      )
      expect(structLogs).toEqual(recorded.structLogs)
    },
  )

  test.each(exchangesOf('eth_call'))(
    'the call $name on the recorded chain is answered as the node did',
    ({ params, result, error }) => {
      const { from, to, gas, input = '0x' } = params[0]
      const message = { from: BigInt(from), to: BigInt(to), gas: BigInt(gas), data: hexToBytes(input) }
      const { output, failure } = call(new WorldState(state), head.env, message)
      expect(bytesToHex(output)).toBe(result ?? error.data)
      const reason = revertReason(output)
      expect(failure && (reason === null ? failure.message : `${failure.message}: ${reason}`)).toBe(
        error?.message ?? null,
      )
    },
  )
}

function expectedOf(header: Header): Outcome & { number: number } {
  return {
    number: header.number,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    bloom: bytesToHex(header.logsBloom),
    gasUsed: header.gasUsed,
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: header.blobGasUsed }),
    ...(header.requestsHash === undefined ? {} : { requestsHash: header.requestsHash }),
  }
}

type RecordedTrace = { readonly hash: string; readonly structLogs: unknown; readonly hasStorage: boolean }

/** What the node answered to debug_trace*, by transaction. */
function recordedTraces(): RecordedTrace[] {
  const methods = ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'debug_traceTransaction']
  return methods.flatMap(exchangesOf).flatMap(({ params, result }) => tracesOfAnswer(params, result))
}

function tracesOfAnswer([of, config]: [string, { disableStorage?: boolean }?], result: unknown): RecordedTrace[] {
  const hasStorage = config?.disableStorage !== true
  if (Array.isArray(result)) {
    return result.map(({ txHash, result: { structLogs } }) => ({ hash: txHash, structLogs, hasStorage }))
  }
  const { structLogs } = (result ?? {}) as { structLogs?: unknown }
  return structLogs === undefined ? [] : [{ hash: of, structLogs, hasStorage }]
}
