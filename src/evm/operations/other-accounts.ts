// Looking at balances and code of any account.
import { accessAccount } from '../core/access.ts'
import { charge, type ExecutionFrame, popWords } from '../core/execution-frame.ts'
import { COPY_WORD_GAS } from '../core/gas.ts'
import { copyToMemory, reserve, toSize } from '../core/memory.ts'
import { ADDRESS_MASK, wordCount } from '../core/word.ts'
import { type AccountRecord, isEmpty } from '../state/account-record.ts'
import { type Operation, operation } from './operation.ts'

export const otherAccounts: readonly Operation[] = [
  looksUp(
    0x31,
    'BALANCE',
    { gas: { frontier: 20, tangerineWhistle: 400, istanbul: 700, berlin: 100 } },
    (_, account) => account.balance,
  ),
  looksUp(0x3b, 'EXTCODESIZE', { gas: { frontier: 20, tangerineWhistle: 700, berlin: 100 } }, (frame, account) =>
    BigInt(frame.machine.world.codeOf(account).bytes.length),
  ),
  operation(
    0x3c,
    'EXTCODECOPY',
    { gas: { frontier: 20, tangerineWhistle: 700, berlin: 100 }, inputs: 4, outputs: 0 },
    (frame) => {
      const { stack } = frame
      const top = popWords(frame, 4)
      const account = accessAccount(frame, stack[top + 3]! & ADDRESS_MASK)
      const size = toSize(stack[top]!)
      charge(frame, COPY_WORD_GAS * wordCount(size))
      const target = reserve(frame, stack[top + 2]!, size)
      copyToMemory(frame, target, frame.machine.world.codeOf(account).bytes, stack[top + 1]!, size)
    },
  ),
  looksUp(
    0x3f,
    'EXTCODEHASH',
    { gas: { constantinople: 400, istanbul: 700, berlin: 100 }, since: 'constantinople' },
    (_, account) => (isEmpty(account) ? 0n : account.codeHash),
  ),
]

type Shape = Pick<Operation, 'gas'> & Partial<Pick<Operation, 'since'>>

function looksUp(
  opcode: number,
  name: string,
  shape: Shape,
  read: (frame: ExecutionFrame, account: AccountRecord) => bigint,
): Operation {
  return operation(opcode, name, { ...shape, inputs: 1, outputs: 1 }, (frame) => {
    const { stack } = frame
    const top = frame.stackSize - 1
    stack[top] = read(frame, accessAccount(frame, stack[top]! & ADDRESS_MASK))
  })
}
