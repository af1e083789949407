// What code can read about accounts, its call, its transaction and its block.
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import { accessAccount } from '../core/access.ts'
import { charge, type ExecutionFrame, popWords } from '../core/execution-frame.ts'
import { COPY_WORD_GAS } from '../core/gas.ts'
import { RETURN_DATA_OUT_OF_BOUNDS } from '../core/halt.ts'
import { copyToMemory, reserve, toSize } from '../core/memory.ts'
import { ADDRESS_MASK, wordCount } from '../core/word.ts'
import { type AccountRecord, isEmpty } from '../state/account-record.ts'
import { type Operation, operation } from './operation.ts'

const PUSHES = { gas: 2, inputs: 0, outputs: 1 }
const COPIES = { gas: 3, inputs: 3, outputs: 0 }

export const environment: readonly Operation[] = [
  pushes(0x30, 'ADDRESS', (frame) => frame.self.address),
  pushes(0x32, 'ORIGIN', (frame) => frame.machine.origin),
  pushes(0x33, 'CALLER', (frame) => frame.caller),
  pushes(0x34, 'CALLVALUE', (frame) => frame.value),
  operation(0x35, 'CALLDATALOAD', { gas: 3, inputs: 1, outputs: 1 }, (frame) => {
    const { stack, input } = frame
    const top = frame.stackSize - 1
    stack[top] = readPaddedWord(input, Number(stack[top]!))
  }),
  pushes(0x36, 'CALLDATASIZE', (frame) => BigInt(frame.input.length)),
  operation(0x37, 'CALLDATACOPY', COPIES, (frame) => copy(frame, frame.input)),
  pushes(0x38, 'CODESIZE', (frame) => BigInt(frame.code.bytes.length)),
  operation(0x39, 'CODECOPY', COPIES, (frame) => copy(frame, frame.code.bytes)),
  pushes(0x3a, 'GASPRICE', (frame) => frame.machine.gasPrice),
  pushes(0x3d, 'RETURNDATASIZE', (frame) => BigInt(frame.returnData.length), 'byzantium'),
  operation(0x3e, 'RETURNDATACOPY', { ...COPIES, since: 'byzantium' }, (frame) => {
    const { stack, stackSize, returnData } = frame
    const end = stack[stackSize - 2]! + stack[stackSize - 3]!
    // What lies beyond the end is paid for first.
    copy(frame, returnData)
    if (end > returnData.length) throw RETURN_DATA_OUT_OF_BOUNDS
  }),
  operation(0x40, 'BLOCKHASH', { gas: 20, inputs: 1, outputs: 1 }, (frame) => {
    const { stack, machine } = frame
    const top = frame.stackSize - 1
    const number = Number(stack[top]!)
    const age = machine.block.number - number
    stack[top] = age > 0 && age <= OLDEST_BLOCK_HASH ? machine.world.hashOfBlock(number) : 0n
  }),
  pushes(0x41, 'COINBASE', (frame) => frame.machine.block.coinbase),
  pushes(0x42, 'TIMESTAMP', (frame) => BigInt(frame.machine.block.timestamp)),
  pushes(0x43, 'NUMBER', (frame) => BigInt(frame.machine.block.number)),
  pushes(0x44, 'DIFFICULTY', (frame) => frame.machine.block.prevRandao),
  pushes(0x45, 'GASLIMIT', (frame) => frame.machine.block.gasLimit),
  pushes(0x46, 'CHAINID', (frame) => frame.machine.block.chainId, 'istanbul'),
  { ...pushes(0x47, 'SELFBALANCE', (frame) => frame.self.balance, 'istanbul'), gas: 5 },
  pushes(0x48, 'BASEFEE', (frame) => frame.machine.block.baseFee, 'london'),
  operation(0x49, 'BLOBHASH', { gas: 3, inputs: 1, outputs: 1, since: 'cancun' }, (frame) => {
    const top = frame.stackSize - 1
    frame.stack[top] = frame.machine.blobHashes[Number(frame.stack[top]!)] ?? 0n
  }),
  pushes(0x4a, 'BLOBBASEFEE', (frame) => frame.machine.block.blobBaseFee, 'cancun'),
]

const OLDEST_BLOCK_HASH = 256

function pushes(
  opcode: number,
  name: string,
  read: (frame: ExecutionFrame) => bigint,
  since: Operation['since'] = 'frontier',
): Operation {
  return operation(opcode, name, { ...PUSHES, since }, (frame) => {
    frame.stack[frame.stackSize++] = read(frame)
  })
}

function copy(frame: ExecutionFrame, source: Uint8Array): void {
  const { stack } = frame
  const top = popWords(frame, 3)
  const size = toSize(stack[top]!)
  charge(frame, COPY_WORD_GAS * wordCount(size))
  copyToMemory(frame, reserve(frame, stack[top + 2]!, size), source, stack[top + 1]!, size)
}

function readPaddedWord(bytes: Uint8Array, offset: number): bigint {
  const end = offset + 32
  if (end <= bytes.length) return bytesToBigint(bytes, offset, end)
  if (offset >= bytes.length) return 0n
  return bytesToBigint(bytes, offset, bytes.length) << BigInt(8 * (end - bytes.length))
}

/** Balance and code of any account. */
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
