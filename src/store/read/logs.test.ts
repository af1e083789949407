import { describe, expect, test } from 'vitest'
import { randomChain, TOPICS } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { writeChain } from '../chain/write.ts'
import { heightOf } from '../schema/position.ts'
import { logsByTopic } from './logs.ts'

describe.each(databases)('logs of any contract on $engine', ({ open }) => {
  test('logs of any contract are those with the topic in the range, or none at all where it is too wide', async () => {
    const database = await open()
    const chain = randomChain({ seed: 3, last: 30 })
    await writeChain(database, { blocks: chain })
    const inRange = chain.flatMap(({ logs }) => logs).filter(({ pos }) => heightOf(pos) >= 4 && heightOf(pos) <= 20)
    const found = inRange.filter(({ topic0 }) => topic0 === TOPICS[0]).map(({ pos }) => pos)
    const ask = async (mostWalked: number, limit = 100) => {
      const filter = { topics: [TOPICS[0]!], from: 4, to: 20, mostWalked }
      return (await logsByTopic(database, filter, { limit }))?.map(({ pos }) => pos)
    }
    expect(found.length).toBeGreaterThan(3)
    expect(await ask(inRange.length)).toEqual(found)
    expect(await ask(inRange.length - 1)).toBeUndefined()
    const second = inRange.findIndex(({ pos }) => pos === found[1])
    expect(await ask(second + 1, 2)).toEqual(found.slice(0, 2))
    await database.close()
  })
})
