// What happens to the state before the first and after the last transaction of a block.

import { bigintToBytes, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'
import type { Withdrawal } from '../../chain/codec/withdrawal.ts'
import {
  BEACON_ROOTS,
  CONSOLIDATION_REQUESTS,
  HISTORY_STORAGE,
  SYSTEM_ADDRESS,
  WITHDRAWAL_REQUESTS,
} from '../../chain/rules/addresses.ts'
import type { BlockEnv } from '../core/block-env.ts'
import { openCall } from '../core/calling.ts'
import { runFrame } from '../core/interpreter.ts'
import { EMPTY_CODE } from '../state/code.ts'
import type { WorldState } from '../state/world-state.ts'
import { createMachine } from './create-machine.ts'
import { depositRequests, type Requests } from './requests.ts'

export type BlockStart = {
  readonly parentHash: bigint
  /** Null where the chain knows no beacon chain. */
  readonly parentBeaconRoot: bigint | null
}

export type BlockEnd = {
  readonly withdrawals: readonly Withdrawal[]
  readonly logs: readonly Log[]
  /** Of the beacon chain's deposit contract; its logs are requests (EIP-6110). */
  readonly depositContract?: bigint
}

export function beginBlock(world: WorldState, block: BlockEnv, { parentHash, parentBeaconRoot }: BlockStart): void {
  if (block.rules.cancun && parentBeaconRoot !== null)
    systemCall(world, block, BEACON_ROOTS, bigintToBytes(parentBeaconRoot, 32))
  if (block.rules.prague) systemCall(world, block, HISTORY_STORAGE, bigintToBytes(parentHash, 32))
}

/** The requests are empty on OP chains and before Prague. */
export function endBlock(
  world: WorldState,
  block: BlockEnv,
  { withdrawals, logs, depositContract }: BlockEnd,
): Requests {
  world.beginTransaction()
  for (const { address, amountGwei } of withdrawals) {
    const record = world.record(address)
    world.setBalance(record, record.balance + amountGwei * WEI_PER_GWEI)
  }
  world.endTransaction()
  if (!block.rules.prague || block.rules.op) return []
  return [
    { type: 0, bytes: depositRequests(logs, depositContract) },
    { type: 1, bytes: systemCall(world, block, WITHDRAWAL_REQUESTS, EMPTY_BYTES) },
    { type: 2, bytes: systemCall(world, block, CONSOLIDATION_REQUESTS, EMPTY_BYTES) },
  ]
}

const SYSTEM_CALL_GAS = 30_000_000
const WEI_PER_GWEI = 1_000_000_000n

/** A call by nobody, that costs nothing. A contract that is not there answers with nothing. */
function systemCall(world: WorldState, block: BlockEnv, to: bigint, input: Uint8Array): Uint8Array {
  world.beginTransaction()
  const self = world.record(to)
  const code = world.codeOf(self)
  if (code === EMPTY_CODE) return EMPTY_BYTES
  const machine = createMachine({ world, block, origin: SYSTEM_ADDRESS, gasPrice: 0n })
  const frame = openCall(machine, null, {
    kind: 'CALL',
    caller: SYSTEM_ADDRESS,
    self,
    codeAddress: to,
    value: 0n,
    input,
    gas: SYSTEM_CALL_GAS,
    isStatic: false,
    code,
  })
  runFrame(frame)
  world.endTransaction()
  return frame.output
}
