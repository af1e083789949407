// `eth_estimateGas`: the smallest gas limit with which a message succeeds. The result is exact; nodes stop within one or two percent.

import type { BlockEnv } from '../core/block-env.ts'
import { atMostTransactionGas, CALL_STIPEND } from '../core/gas.ts'
import { type PausableRun, runToEnd } from '../core/pausable-run.ts'
import { smaller } from '../core/word.ts'
import { EMPTY_CODE_HASH } from '../state/code.ts'
import type { Misses } from '../state/state-source.ts'
import type { WorldState } from '../state/world-state.ts'
import { type CallMessage, type CallOptions, type CallResult, pausableCall } from './call.ts'
import type { CallFailure } from './call-failures.ts'
import { overriddenState } from './overrides.ts'

export type Estimate =
  | { readonly type: 'estimated'; readonly gas: bigint }
  | { readonly type: 'failed'; readonly failure: CallFailure; readonly output: Uint8Array }
  | { readonly type: 'missed'; readonly misses: Misses }

/** `message.gas` is the highest possible estimate. Default: the gas limit of the block. Since Osaka no estimate is above the cap of a transaction. */
export function estimateGas(
  world: WorldState,
  block: BlockEnv,
  message: CallMessage,
  options: CallOptions = {},
): Estimate {
  return runToEnd(pausableEstimate(world, block, message, options))
}

/** Nobody else may use the world until the run has ended. */
export function* pausableEstimate(
  world: WorldState,
  block: BlockEnv,
  message: CallMessage,
  options: CallOptions = {},
): PausableRun<Estimate> {
  const tryWith = (gas: bigint) => pausableCall(world, block, { ...message, gas }, options)
  const most = affordableGas(world, block, message, options)

  if (isPlainTransfer(world, message, options)) {
    const transfer = yield* tryWith(PLAIN_TRANSFER_GAS)
    if (transfer.ok && transfer.misses === null) return { type: 'estimated', gas: PLAIN_TRANSFER_GAS }
  }
  const widest = yield* tryWith(most)
  if (widest.misses !== null) return { type: 'missed', misses: widest.misses }
  if (widest.failure !== null) return { type: 'failed', failure: widest.failure, output: widest.output }
  return yield* search(tryWith, widest, most)
}

const PLAIN_TRANSFER_GAS = 21000n

/** Binary search between a limit that fails and one that succeeds. The first guess is usually close. */
function* search(
  tryWith: (gas: bigint) => PausableRun<CallResult>,
  widest: CallResult,
  most: bigint,
): PausableRun<Estimate> {
  let fails = widest.gasUsed - 1n
  let succeeds = most
  let next = ((widest.gasUsed + widest.refunded + BigInt(CALL_STIPEND)) * 64n) / 63n
  while (fails + 1n < succeeds) {
    if (next <= fails || next >= succeeds) next = (fails + succeeds) / 2n
    const attempt = yield* tryWith(next)
    if (attempt.misses !== null) return { type: 'missed', misses: attempt.misses }
    if (attempt.ok) succeeds = next
    else fails = next
    next = 0n
  }
  return { type: 'estimated', gas: succeeds }
}

/** The gas that the sender's balance can pay for, if there is a gas price. */
function affordableGas(world: WorldState, block: BlockEnv, message: CallMessage, { overrides }: CallOptions): bigint {
  const { from = 0n, gasPrice = 0n, value = 0n } = message
  const gas = atMostTransactionGas(block.rules, message.gas ?? block.gasLimit)
  if (gasPrice === 0n) return gas
  const source = overrides === undefined ? world : overriddenState(world, overrides)
  const affordable = ((source.account(from)?.balance ?? 0n) - value) / gasPrice
  return smaller(affordable, gas)
}

function isPlainTransfer(world: WorldState, { to, data }: CallMessage, { overrides }: CallOptions): boolean {
  if (to === null || (data !== undefined && data.length > 0) || overrides?.has(to)) return false
  const account = world.account(to)
  return account === null || account?.codeHash === EMPTY_CODE_HASH
}
