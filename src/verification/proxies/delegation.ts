// Whether a contract hands on what it does not know: it is called with a selector that nobody has, and the first DELEGATECALL that
// carries this very input names the implementation, wherever the contract has it from. No list of patterns, so none to be missing
// from; and what merely uses a library, or makes proxies, does not do that.

import { bytesToBigint, hexToBytes } from '../../chain/bytes/hex.ts'
import { rulesOfFork } from '../../chain/rules/forks.ts'
import { call } from '../../evm/call/call.ts'
import type { BlockEnv } from '../../evm/core/block-env.ts'
import type { ExecutionFrame } from '../../evm/core/execution-frame.ts'
import { WorldState } from '../../evm/state/world-state.ts'
import { NodeWorld, type ReadNode } from './node-world.ts'

/** A selector and two words that mean nothing to anybody. */
const UNKNOWN_CALL = hexToBytes(`0x9b7e3d51${'c3'.repeat(64)}`)
/** Neither admin nor owner of anything. */
const STRANGER = 0x7c1f0e6d3b5a492887766554433221100f1e2d3cn
/** What it takes to find an implementation is little. */
const GAS = 1_000_000n
/** Each is one exchange with the node. */
const MOST_ROUNDS = 8

export type Delegation = {
  readonly target: bigint
  /** The slot of the proxy that held it, if any. */
  readonly slot: bigint | null
  /** It was the answer of another contract. */
  readonly isTold: boolean
}

export async function delegationOf(
  node: ReadNode,
  { address, code }: { address: bigint; code: Uint8Array },
): Promise<Delegation | undefined> {
  const world = new NodeWorld(address, code)
  const block = { ...BLOCK, timestamp: Math.floor(Date.now() / 1000) }
  for (const nobody of [STRANGER, block.coinbase, 0n]) world.learnNobody(nobody)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const seen = { target: undefined as bigint | undefined, isCertain: false, answers: new Set<bigint>() }
    world.missed = 0
    const { misses } = call(
      new WorldState(world),
      block,
      { from: STRANGER, to: address, data: UNKNOWN_CALL, gas: GAS },
      {
        tracer: {
          enter: (frame) => {
            if (seen.target !== undefined || !isHandedOn(frame, address)) return
            seen.target = frame.codeAddress
            seen.isCertain = world.missed === 0
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
      return world.hasCode(target)
        ? { target, slot: slotHolding(world, address, target), isTold: answers.has(target) }
        : undefined
    }
    if (misses === null) return undefined
    await world.fetch(node, misses)
  }
  return undefined
}

/** Behind the input there may be more: clones with arguments hand them on too. */
function isHandedOn({ kind, self, codeAddress, input }: ExecutionFrame, address: bigint): boolean {
  return (
    kind === 'DELEGATECALL' &&
    self.address === address &&
    codeAddress !== address &&
    UNKNOWN_CALL.every((byte, i) => input[i] === byte)
  )
}

/** Also where it shares the slot with something small. */
function slotHolding(world: NodeWorld, address: bigint, target: bigint): bigint | null {
  for (const [slot, value] of world.slotsOf(address)) {
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
