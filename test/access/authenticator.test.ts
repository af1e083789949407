// The authenticator without a server, at times of its own choice.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestAccess, type TestAccess } from '../support/access.ts'
import { POST } from '../support/requests.ts'
import { signedHeaders } from '../support/sender.ts'
import { welchT, withoutSlowest } from '../support/welch.ts'

describe('the authenticator alone', () => {
  let access: TestAccess

  beforeAll(async () => {
    access = await openTestAccess()
  })

  afterAll(() => access.close())

  const headersAt = (timestamp: string) => signedHeaders(access.key, { ...POST, timestamp })
  const asRequest = { method: POST.method!, target: POST.target, body: Buffer.from(POST.body!) }

  test('the authenticator alone draws the line at 30 seconds exactly, both ways', () => {
    const { authenticator, clock } = access
    for (const sign of [1, -1]) {
      const at = (offMs: number) => headersAt(new Date(clock.nowMs + sign * offMs).toISOString())
      expect(authenticator.credentialsFrom(at(30_000)).key).toBe(access.key.key)
      expect(() => authenticator.credentialsFrom(at(30_001))).toThrow(/expired/)
    }
  })

  test('the authenticator alone takes no day that the calendar does not have', () => {
    const { authenticator, clock } = access
    const before = clock.nowMs
    clock.nowMs = Date.parse('2026-03-02T12:00:00Z')
    expect(() => authenticator.credentialsFrom(headersAt('2026-02-30T12:00:00Z'))).toThrow(/ISO 8601/)
    clock.nowMs = before
  })

  test('the authenticator alone refuses a replay that another process accepted for as long as its time is good', async () => {
    const { authenticator, neighbour, clock } = access
    const headers = headersAt(new Date(clock.nowMs + 30_000).toISOString())
    await expect(authenticator.verify(authenticator.credentialsFrom(headers), asRequest)).resolves.toBeDefined()
    for (const waitMs of [0, 60_000]) {
      clock.nowMs += waitMs
      await access.prune()
      for (const each of [authenticator, neighbour]) {
        const replay = each.verify(each.credentialsFrom(headers), asRequest)
        await expect(replay).rejects.toMatchObject({ key: 'signatureReplayed' })
      }
    }
  })

  test('the authenticator alone refuses an unknown key and a wrong signature alike and prints how their times differ', async () => {
    const { authenticator, clock } = access
    const wrong = {
      ...headersAt(new Date(clock.nowMs).toISOString()),
      'svc-access-sign': randomBytes(32).toString('base64'),
    }
    const subjects = {
      unknownKey: authenticator.credentialsFrom({ ...wrong, 'svc-access-key': randomUUID() }),
      wrongSignature: authenticator.credentialsFrom(wrong),
    }
    const tookNs: Record<keyof typeof subjects, number[]> = { unknownKey: [], wrongSignature: [] }
    const refusals = new Set<string>()
    for (let i = 0; i < 8_000; i++) {
      const name = randomBytes(1)[0]! % 2 === 0 ? 'unknownKey' : 'wrongSignature'
      const startedNs = process.hrtime.bigint()
      const refusal: unknown = await authenticator.verify(subjects[name], asRequest).catch((error: unknown) => error)
      const endedNs = process.hrtime.bigint()
      refusals.add(`${name}: ${(refusal as { key: string }).key}`)
      // The first thousand warm the compiler up.
      if (i >= 1_000) tookNs[name].push(Number(endedNs - startedNs))
    }
    const [unknown, known] = [withoutSlowest(tookNs.unknownKey), withoutSlowest(tookNs.wrongSignature)]
    const median = (sample: number[]) => (sample[sample.length >> 1]! / 1_000).toFixed(1)
    console.log(
      `timing: unknown key ${median(unknown)} us, wrong signature ${median(known)} us (medians of ${unknown.length} and ${known.length}), Welch t = ${welchT(unknown, known).toFixed(1)}`,
    )
    expect([...refusals].sort()).toEqual(['unknownKey: keyUnknown', 'wrongSignature: signatureWrong'])
  })
})
