// Finds the implementation of a proxy by running it: the contract is called with an unknown selector, and the first DELEGATECALL that
// passes on this input goes to the implementation, wherever the contract read its address. That needs no list of known proxies, and
// contracts that only use a library or create proxies do not pass on the input.
import { bytesToBigint, hexToBytes } from '../../chain/bytes/hex.ts'
import { rulesOfFork } from '../../chain/rules/forks.ts'
import { call } from '../../evm/call/call.ts'
import type { BlockEnv } from '../../evm/core/block-env.ts'
import type { ExecutionFrame } from '../../evm/core/execution-frame.ts'
import { WorldState } from '../../evm/state/world-state.ts'
import { NodeState, type ReadNode } from './node-state.ts'

/** A selector and two words that no contract knows. */
const UNKNOWN_CALL = hexToBytes(`0x9b7e3d51${'c3'.repeat(64)}`)
/** A caller that is not the admin or owner of any contract. */
const CALLER = 0x7c1f0e6d3b5a492887766554433221100f1e2d3cn
/** Finding an implementation takes little gas. */
const GAS = 1_000_000n
/** Each round is one batch to the node. */
const MAX_ROUNDS = 8

export type Delegation = {
  readonly target: bigint
  /** The slot of the proxy that has the address, if any. */
  readonly slot: bigint | null
  /** Another contract returned the address when the proxy called it. */
  readonly isFromBeacon: boolean
}

export async function delegationOf(
  node: ReadNode,
  { address, code }: { address: bigint; code: Uint8Array },
): Promise<Delegation | undefined> {
  const state = new NodeState(address, code)
  const block = { ...BLOCK, timestamp: Math.floor(Date.now() / 1000) }
  for (const account of [CALLER, block.coinbase, 0n]) state.addEmptyAccount(account)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const seen = { target: undefined as bigint | undefined, isCertain: false, answers: new Set<bigint>() }
    state.missCount = 0
    const { misses } = call(
      new WorldState(state),
      block,
      { from: CALLER, to: address, data: UNKNOWN_CALL, gas: GAS },
      {
        tracer: {
          enter: (frame) => {
            if (seen.target !== undefined || !passesInputOn(frame, address)) return
            seen.target = frame.codeAddress
            seen.isCertain = state.missCount === 0
          },
          exit: (frame) => {
            if (frame.kind === 'STATICCALL' && frame.output.length === 32) {
              seen.answers.add(bytesToBigint(frame.output))
            }
          },
        },
      },
    )
    const { target, isCertain, answers } = seen
    if (target !== undefined && isCertain) {
      return state.hasCode(target)
        ? { target, slot: slotHolding(state, address, target), isFromBeacon: answers.has(target) }
        : undefined
    }
    if (misses === null) return undefined
    await state.fetch(node, misses)
  }
  return undefined
}

/** More may follow the input: clones with arguments append them. */
function passesInputOn({ kind, self, codeAddress, input }: ExecutionFrame, address: bigint): boolean {
  return (
    kind === 'DELEGATECALL' &&
    self.address === address &&
    codeAddress !== address &&
    UNKNOWN_CALL.every((byte, i) => input[i] === byte)
  )
}

/** Also finds an address that shares its slot with a smaller value. */
function slotHolding(state: NodeState, address: bigint, target: bigint): bigint | null {
  for (const [slot, value] of state.slotsOf(address)) {
    for (let shifted = value; shifted !== 0n; shifted >>= 8n) if ((shifted & ADDRESS_MASK) === target) return slot
  }
  return null
}

const ADDRESS_MASK = 2n ** 160n - 1n

const BLOCK: Omit<BlockEnv, 'timestamp'> = {
  chainId: 1n,
  rules: rulesOfFork('prague'),
  number: 1,
  gasLimit: 30_000_000n,
  coinbase: 1n,
  baseFee: 0n,
  blobBaseFee: 1n,
  prevRandao: 0n,
}
