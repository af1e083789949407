// The operations of a fork, as the arrays by opcode that the interpreter reads.
import { ETHEREUM_FORKS, type EthereumFork, type Rules } from '../../chain/rules/forks.ts'
import { type ExecutionFrame, type OperationTable, STACK_LIMIT } from '../core/execution-frame.ts'
import { invalidOpcode, nameOfInvalid } from '../core/halt.ts'
import { arithmetic } from './arithmetic.ts'
import { calls } from './calls.ts'
import { comparison } from './comparison.ts'
import { control } from './control.ts'
import { environment, otherAccounts } from './environment.ts'
import { logging } from './logging.ts'
import { memory } from './memory.ts'
import type { Operation } from './operation.ts'
import { stack } from './stack.ts'
import { storage } from './storage.ts'

export function operationsFor(rules: Rules): OperationTable {
  const known = tables.get(rules.fork)
  if (known !== undefined) return known
  const table = makeTable(rules)
  tables.set(rules.fork, table)
  return table
}

/** One entry per fork that this thread has executed. Operations depend on the Ethereum fork only. */
const tables = new Map<EthereumFork, OperationTable>()

const ALL = new Map(
  [arithmetic, comparison, environment, otherAccounts, memory, storage, control, stack, logging, calls]
    .flat()
    .map((operation) => [operation.opcode, operation]),
)

function makeTable(rules: Rules): OperationTable {
  const execute: ((frame: ExecutionFrame) => void)[] = []
  const names: string[] = []
  const gas = new Int32Array(256)
  const fewest = new Int16Array(256)
  const most = new Int16Array(256).fill(STACK_LIMIT)
  for (let opcode = 0; opcode < 256; opcode++) {
    const operation = ALL.get(opcode)
    if (operation === undefined || !rules[operation.since]) {
      const name = operation?.name ?? nameOfInvalid(opcode)
      execute.push(() => {
        throw invalidOpcode(name)
      })
      names.push(name)
      continue
    }
    execute.push(operation.execute)
    names.push(operation.name)
    gas[opcode] = priceOf(operation, rules)
    fewest[opcode] = operation.inputs
    most[opcode] = STACK_LIMIT + operation.inputs - operation.outputs
  }
  return { execute, gas, fewest, most, names }
}

function priceOf({ gas, name }: Operation, rules: Rules): number {
  if (typeof gas === 'number') return gas
  const newest = ETHEREUM_FORKS.findLast((fork) => rules[fork] && gas[fork] !== undefined)
  if (newest === undefined) throw new Error(`${name} has no price at ${rules.fork}`)
  return gas[newest]!
}
