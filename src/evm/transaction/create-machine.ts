// Puts together what a transaction runs on: the world, the block, and the tables of the block's fork.
import type { BlockEnv } from '../core/block-env.ts'
import type { Machine, Tracer } from '../core/execution-frame.ts'
import { gasScheduleFor } from '../core/gas.ts'
import { operationsFor } from '../operations/table.ts'
import type { Precompile } from '../precompiles/precompile.ts'
import { precompilesFor } from '../precompiles/table.ts'
import type { WorldState } from '../state/world-state.ts'

export type MachineInput = {
  readonly world: WorldState
  readonly block: BlockEnv
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly blobHashes?: readonly bigint[]
  readonly tracer?: Tracer | null | undefined
  readonly precompiles?: ReadonlyMap<bigint, Precompile> | undefined
}

export function createMachine(input: MachineInput): Machine {
  const { world, block, origin, gasPrice, blobHashes, tracer, precompiles } = input
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
