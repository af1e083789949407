// One opcode: its static gas, the words it takes from and puts on the stack, and its effect. The static gas and whether the opcode exists
// can depend on the fork.
import type { EthereumFork } from '../../chain/rules/forks.ts'
import type { ExecutionFrame } from '../core/execution-frame.ts'

export type Operation = {
  readonly opcode: number
  readonly name: string
  /** Static gas: one number for all forks, or the number from each fork on. */
  readonly gas: number | Readonly<Partial<Record<EthereumFork, number>>>
  readonly inputs: number
  readonly outputs: number
  readonly since: EthereumFork
  readonly execute: (frame: ExecutionFrame) => void
}

type Shape = Pick<Operation, 'gas' | 'inputs' | 'outputs'> & { readonly since?: EthereumFork }

export function operation(
  opcode: number,
  name: string,
  shape: Shape,
  execute: (frame: ExecutionFrame) => void,
): Operation {
  return {
    opcode,
    name,
    since: 'frontier',
    ...shape,
    execute,
  }
}
