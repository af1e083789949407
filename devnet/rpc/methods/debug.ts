// debug_trace*: traces of transactions and calls.

import { z } from 'zod'
import { serverError } from '../../../src/evm/call/call-failures.ts'
import { callMessage, envForCall, overriddenEnv, overridesOf } from '../../../src/evm/call/call-object.ts'
import { pausableMessage } from '../../../src/evm/call/execute-message.ts'
import { overriddenPrecompiles, overriddenState } from '../../../src/evm/call/overrides.ts'
import type { PausableRun } from '../../../src/evm/core/pausable-run.ts'
import { WorldState } from '../../../src/evm/state/world-state.ts'
import type { ReadableChain } from '../../chain/chain.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock, stateOf } from '../block-lookup.ts'
import { executingMethod } from '../method.ts'
import { block, blockOverrides, callObject, hash, requiredBlock, stateOverrides } from '../params.ts'
import { replayBlock, replayOne, type Traceable, type TraceConfig, trace, traceConfig } from '../tracing.ts'
import { CALL_GAS_CAP } from './calls.ts'

const config = traceConfig
const callConfig = z.intersection(
  z
    .object({ stateOverrides: stateOverrides.nullish(), blockOverrides: blockOverrides.nullish() })
    .nullish()
    .transform((overrides) => overrides ?? {}),
  traceConfig,
)

export const debugMethods = {
  debug_traceTransaction: executingMethod({ hash, config }, function* (chain, { hash, config }) {
    const found = chain.transaction(hash)
    if (found === null || found.type === 'waiting') throw serverError('transaction not found')
    const { world, traceable } = replayOne(chain, found.block, found.index)
    return yield* trace(world, traceable, config)
  }),
  debug_traceBlockByNumber: executingMethod({ block: requiredBlock, config }, (chain, args) =>
    traceBlock(chain, findBlock(chain, args.block), args.config),
  ),
  debug_traceBlockByHash: executingMethod({ hash, config }, (chain, args) =>
    traceBlock(chain, chain.blockByHash(args.hash), args.config),
  ),
  debug_traceCall: executingMethod({ call: callObject, block, config: callConfig }, function* (chain, args) {
    const state = stateOf(chain, args.block)
    const overrides = overridesOf(args.config.stateOverrides) ?? new Map()
    const env = overriddenEnv(chain.envOf(state.block.header), args.config.blockOverrides)
    const message = callMessage(args.call, env, CALL_GAS_CAP)
    const traceable: Traceable = {
      env,
      from: message.from,
      to: message.to,
      authorizations: message.authorizations,
      gasLimit: message.gas,
      location: null,
      firstLogIndex: 0,
      unbegun: null,
      *run(world, tracer) {
        const precompiles = overriddenPrecompiles(env.rules, overrides)
        const executed = yield* pausableMessage(world, envForCall(env, message), message, { tracer, precompiles })
        if (executed.type === 'refused') throw serverError(executed.message)
        return { ...executed, failed: executed.failure !== null }
      },
    }
    return yield* trace(new WorldState(overriddenState(state.source, overrides)), traceable, args.config)
  }),
}

function* traceBlock(chain: ReadableChain, block: ChainBlock | null, config: TraceConfig): PausableRun<unknown[]> {
  if (block === null) throw serverError('block not found')
  const results: unknown[] = []
  for (const { world, traceable, index } of replayBlock(chain, block)) {
    const result = yield* trace(world, traceable, config)
    results.push({ txHash: block.transactions[index]!.recovered.hash, result })
    yield
  }
  return results
}
