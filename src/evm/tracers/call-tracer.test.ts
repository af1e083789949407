// Against traces that geth made of real transactions. They lie beside the repository; where they do not, the tests are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hexToBytes } from '../../chain/bytes/hex.ts'
import { recoverTransaction } from '../../chain/codec/recovered-transaction.ts'
import { rulesBySchedule } from '../../chain/rules/forks.ts'
import { scheduleFromGenesis } from '../../chain/rules/genesis.ts'
import type { BlockEnv } from '../core/block-env.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { executeTransaction } from '../transaction/transaction.ts'
import { CallRecorder } from './call-recorder.ts'
import { toCallTrace } from './call-tracer.ts'

const FIXTURES = new URL('../../../../shared/fixtures/call-traces/call_tracer/', import.meta.url)
const areThere = existsSync(FIXTURES)
if (!areThere) console.log('no recorded call traces beside the repository: their tests are skipped')

const names = areThere ? readdirSync(FIXTURES).filter((name) => name.endsWith('.json')) : []

describe.runIf(areThere)('callTracer', () => {
  test('callTracer has traces to compare with', () => expect(names.length).toBeGreaterThan(10))

  test.each(names)('callTracer gives what geth gives for %s', (name) => {
    const fixture = JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8'))
    const recorded = recoverTransaction(hexToBytes(fixture.input))
    const tracer = new CallRecorder()
    const world = new WorldState(stateOf(fixture.genesis.alloc))
    const execution = executeTransaction(world, blockOf(fixture), recorded, { tracer })
    if (execution.type === 'refused') throw new Error(execution.message)
    const gas = { gasLimit: recorded.transaction.gasLimit, gasUsed: execution.gasUsed }
    expect(toCallTrace(tracer.root!, gas, fixture.tracerConfig)).toEqual(fixture.result)
  })
})

type Alloc = Record<string, { balance: string; nonce?: string; code?: string; storage?: Record<string, string> }>

function stateOf(alloc: Alloc): MemoryState {
  return new MemoryState(
    Object.entries(alloc).map(([address, { balance, nonce = '0', code = '0x', storage = {} }]) => [
      BigInt(address),
      {
        balance: BigInt(balance),
        nonce: BigInt(nonce),
        code: hexToBytes(code),
        storage: Object.entries(storage).map(([slot, value]) => [BigInt(slot), BigInt(value)] as const),
      },
    ]),
  )
}

type Fixture = {
  readonly genesis: { readonly config: Record<string, number> }
  readonly context: Readonly<Record<string, string>>
}

function blockOf({ genesis: { config }, context }: Fixture): BlockEnv {
  const number = Number(context.number)
  const timestamp = Number(context.timestamp)
  return {
    chainId: BigInt(config.chainId!),
    rules: rulesBySchedule(scheduleFromGenesis(asGoReads(config)))({ number, timestamp }),
    number,
    timestamp,
    gasLimit: BigInt(context.gasLimit!),
    coinbase: BigInt(context.miner!),
    baseFee: BigInt(context.baseFeePerGas ?? 0),
    blobBaseFee: 1n,
    prevRandao: BigInt(context.difficulty!),
  }
}

/** Go reads JSON names in any case, and one recording relies on it. */
function asGoReads(config: Fixture['genesis']['config']) {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name[0]!.toLowerCase() + name.slice(1), value]),
  )
}
