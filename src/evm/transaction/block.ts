// What a block does to the state before its first and after its last transaction: system calls, withdrawals, requests.

import { createHash } from 'node:crypto'
import { bigintToBytes, bytesToHex, concatBytes, EMPTY_BYTES, type Hex } from '../../chain/bytes/hex.ts'
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

export type BlockStart = {
  readonly parentHash: bigint
  /** Null if there is no beacon chain. */
  readonly parentBeaconRoot: bigint | null
}

export type BlockEnd = {
  readonly withdrawals: readonly Withdrawal[]
  readonly logs: readonly Log[]
  /** Address of the beacon chain's deposit contract, whose logs are requests (EIP-6110). */
  readonly depositContract?: bigint
}

export function beginBlock(world: WorldState, block: BlockEnv, { parentHash, parentBeaconRoot }: BlockStart): void {
  if (block.rules.cancun && parentBeaconRoot !== null)
    systemCall(world, block, BEACON_ROOTS, bigintToBytes(parentBeaconRoot, 32))
  if (block.rules.prague) systemCall(world, block, HISTORY_STORAGE, bigintToBytes(parentHash, 32))
}

/** Returns the requests (EIP-7685); there are none on OP chains and before Prague. */
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

/** A call by the system address, which costs nothing. If the contract does not exist, the output is empty. */
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

/** EIP-7685: requests of the execution layer to the beacon chain. */
export type Requests = readonly { readonly type: number; readonly bytes: Uint8Array }[]

/** The header's `requestsHash`. Types without a request are left out. */
export function requestsHash(requests: Requests): Hex {
  const hashes = requests
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ type, bytes }) => sha256(concatBytes(Uint8Array.of(type), bytes)))
  return bytesToHex(sha256(concatBytes(...hashes)))
}

/** EIP-6110: the deposits in the logs of the deposit contract, their fields concatenated. */
function depositRequests(logs: readonly Log[], contract: bigint = MAINNET_DEPOSIT_CONTRACT): Uint8Array {
  const deposits = logs.filter(({ address, topics }) => address === contract && topics[0] === DEPOSIT_EVENT)
  return concatBytes(
    ...deposits.flatMap(({ data }) => DEPOSIT_FIELDS.map(([at, length]) => data.slice(at, at + length))),
  )
}

const MAINNET_DEPOSIT_CONTRACT = 0x00000000219ab540356cbb839cbe05303d7705fan
const DEPOSIT_EVENT = 0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5n

/** Position and length in the event's data: public key, withdrawal credentials, amount, signature, index. */
const DEPOSIT_FIELDS = [
  [192, 48],
  [288, 32],
  [352, 8],
  [416, 96],
  [544, 8],
] as const

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest())
}
