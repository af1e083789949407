// What stays the same while one transaction runs.
import type { Rules } from '../../chain/rules/forks.ts'
import { type OperationTable, operationsFor } from '../operations/table.ts'
import { type Precompile, precompilesFor } from '../precompiles/table.ts'
import type { WorldState } from '../state/world-state.ts'
import { type GasSchedule, gasScheduleFor } from './gas.ts'
import type { Tracer } from './tracer.ts'

/** The block around a transaction, as its header says it. */
export type BlockEnv = {
  readonly chainId: bigint
  readonly rules: Rules
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly gasLimit: bigint
  readonly coinbase: bigint
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
  /** The difficulty before the merge. */
  readonly prevRandao: bigint
}

export type Machine = {
  readonly world: WorldState
  readonly block: BlockEnv
  readonly rules: Rules
  readonly gas: GasSchedule
  readonly operations: OperationTable
  readonly precompiles: ReadonlyMap<bigint, Precompile>
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly blobHashes: readonly bigint[]
  readonly tracer: Tracer | null
}

export type MachineInput = {
  readonly world: WorldState
  readonly block: BlockEnv
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly blobHashes?: readonly bigint[]
  readonly tracer?: Tracer | null | undefined
  readonly precompiles?: ReadonlyMap<bigint, Precompile> | undefined
}

export function createMachine({
  world,
  block,
  origin,
  gasPrice,
  blobHashes,
  tracer,
  precompiles,
}: MachineInput): Machine {
  return {
    world,
    block,
    rules: block.rules,
    gas: gasScheduleFor(block.rules),
    operations: operationsFor(block.rules),
    precompiles: precompiles ?? precompilesFor(block.rules),
    origin,
    gasPrice,
    blobHashes: blobHashes ?? [],
    tracer: tracer ?? null,
  }
}
