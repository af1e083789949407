// Logs with up to four topics.
import { charge, popWords } from '../core/execution-frame.ts'
import { LOG_BYTE_GAS } from '../core/gas.ts'
import { WRITE_PROTECTION } from '../core/halt.ts'
import { readMemory, reserve, toSize } from '../core/memory.ts'
import { type Operation, operation } from './operation.ts'

export const logging: readonly Operation[] = [0, 1, 2, 3, 4].map(log)

function log(topicCount: number): Operation {
  const shape = { gas: 375 * (topicCount + 1), inputs: topicCount + 2, outputs: 0 }
  return operation(0xa0 + topicCount, `LOG${topicCount}`, shape, (frame) => {
    const { stack, machine } = frame
    const top = popWords(frame, topicCount + 2)
    const size = toSize(stack[top + topicCount]!)
    charge(frame, LOG_BYTE_GAS * size)
    const offset = reserve(frame, stack[top + topicCount + 1]!, size)
    // Gas is paid first, as in geth: one may be short of it.
    if (frame.isStatic) throw WRITE_PROTECTION
    const topics = stack.slice(top, top + topicCount).reverse()
    const entry = { address: frame.self.address, topics, data: readMemory(frame, offset, size) }
    machine.world.addLog(entry)
    machine.tracer?.log?.(frame, entry)
  })
}
