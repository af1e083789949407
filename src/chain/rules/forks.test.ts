import { describe, expect, test } from 'vitest'
import { type ForkSchedule, rulesBySchedule, rulesOfFork, scheduleFrom } from './forks.ts'
import { scheduleFromGenesis } from './genesis.ts'

const schedule: ForkSchedule = {
  activations: { london: { block: 10 }, shanghai: { timestamp: 100 }, prague: { timestamp: 200 } },
}

describe('forks', () => {
  test.each([
    [{ number: 0, timestamp: 0 }, 'frontier'],
    [{ number: 9, timestamp: 99 }, 'frontier'],
    [{ number: 10, timestamp: 99 }, 'london'],
    [{ number: 11, timestamp: 100 }, 'shanghai'],
    [{ number: 12, timestamp: 200 }, 'prague'],
  ])('the rules at %o are those of %s', (at, fork) => {
    expect(rulesBySchedule(schedule)(at).fork).toBe(fork)
  })

  test('an active fork brings every earlier one along, and no later one', () => {
    const rules = rulesBySchedule(schedule)({ number: 11, timestamp: 100 })
    expect(rules).toMatchObject({
      homestead: true,
      paris: true,
      shanghai: true,
      cancun: false,
      op: false,
      opFork: null,
    })
  })

  test.each([
    ['bedrock', 'paris'],
    ['canyon', 'shanghai'],
    ['ecotone', 'cancun'],
    ['holocene', 'cancun'],
    ['isthmus', 'prague'],
    ['jovian', 'prague'],
    ['karst', 'osaka'],
  ] as const)('the OP fork %s implies the Ethereum fork %s', (opFork, fork) => {
    expect(rulesOfFork(opFork)).toMatchObject({ op: true, opFork, fork, [opFork]: true })
  })

  test('an Ethereum fork set beside an OP fork wins if it is newer', () => {
    const rulesAt = rulesBySchedule({ activations: { isthmus: { timestamp: 0 }, osaka: { timestamp: 50 } } })
    expect(rulesAt({ number: 1, timestamp: 49 }).fork).toBe('prague')
    expect(rulesAt({ number: 1, timestamp: 50 })).toMatchObject({ fork: 'osaka', opFork: 'isthmus' })
  })

  test('the same forks of a schedule are the same frozen object', () => {
    const rulesAt = rulesBySchedule(schedule)
    const first = rulesAt({ number: 10, timestamp: 0 })
    expect(rulesAt({ number: 50, timestamp: 7 })).toBe(first)
    expect(Object.isFrozen(first)).toBe(true)
    expect(rulesBySchedule(scheduleFrom('isthmus'))({ number: 0, timestamp: 0 })).toEqual(rulesOfFork('isthmus'))
  })

  test('blob limits come with the fork unless the chain sets its own', () => {
    expect(rulesOfFork('shanghai').blobs).toBeNull()
    expect(rulesOfFork('isthmus').blobs).toMatchObject({ target: 6, max: 9 })
    const own = { target: 1, max: 2, updateFraction: 3n }
    const rulesAt = rulesBySchedule({ ...scheduleFrom('cancun'), blobs: { cancun: own } })
    expect(rulesAt({ number: 0, timestamp: 0 }).blobs).toEqual(own)
  })

  test('the schedule is read from a genesis file', () => {
    const { activations, blobs } = scheduleFromGenesis({
      chainId: 10,
      eip150Block: 3,
      eip158Block: 6,
      mergeNetsplitBlock: 36,
      bedrockBlock: 105235063,
      isthmusTime: 1746806401,
      blobSchedule: { prague: { target: 6, max: 9, baseFeeUpdateFraction: 5007716 } },
    })
    expect(activations).toEqual({
      tangerineWhistle: { block: 3 },
      spuriousDragon: { block: 6 },
      paris: { block: 36 },
      bedrock: { block: 105235063 },
      isthmus: { timestamp: 1746806401 },
    })
    expect(blobs).toEqual({ prague: { target: 6, max: 9, updateFraction: 5007716n } })
  })

  test.each(['karstTime', 'karst_time'])('the schedule has the fork that %s of a genesis file names', (key) => {
    const rulesAt = rulesBySchedule(scheduleFromGenesis({ jovianTime: 10, [key]: 20 }))
    expect(rulesAt({ number: 1, timestamp: 19 })).toMatchObject({ fork: 'prague', opFork: 'jovian' })
    expect(rulesAt({ number: 1, timestamp: 20 })).toMatchObject({ fork: 'osaka', opFork: 'karst' })
  })

  test('a genesis file names the forks that this version does not know', () => {
    const { unknown } = scheduleFromGenesis({ karstTime: 10, pectraBlobScheduleTime: 5, lagoonTime: 20 })
    expect(unknown).toEqual([{ name: 'lagoon', timestamp: 20 }])
  })
})
