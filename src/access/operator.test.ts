import { describe, expect, test } from 'vitest'
import { createOperator, SESSION_S } from './operator.ts'

const TOKEN = 'a token of some length'

function nothingEnded() {
  const hashes = new Set<string>()
  return {
    end: async (hash: Uint8Array) => void hashes.add(Buffer.from(hash).toString('hex')),
    isEnded: async (hash: Uint8Array) => hashes.has(Buffer.from(hash).toString('hex')),
  }
}

describe('an operator', () => {
  test('an operator knows its token and no other', () => {
    const operator = createOperator({ token: TOKEN, ended: nothingEnded(), nowMs: Date.now })
    expect(operator.isToken(TOKEN)).toBe(true)
    for (const other of ['', TOKEN.slice(1), `${TOKEN} `, TOKEN.toUpperCase()]) {
      expect(operator.isToken(other), other).toBe(false)
    }
  })

  test('an operator has sessions that every process with the token knows, until they end', async () => {
    let nowMs = 1_700_000_000_000
    const [one, other] = [TOKEN, TOKEN].map((token) =>
      createOperator({ token, ended: nothingEnded(), nowMs: () => nowMs }),
    )
    const session = one!.newSession()
    expect(await other!.isSession(session)).toBe(true)
    nowMs += SESSION_S * 1000 - 1
    expect(await other!.isSession(session)).toBe(true)
    nowMs += 1
    expect(await other!.isSession(session)).toBe(false)
  })

  test('an operator takes no session that was made up, prolonged, or made under another token', async () => {
    const operator = createOperator({ token: TOKEN, ended: nothingEnded(), nowMs: Date.now })
    const session = operator.newSession()
    const later = String(Number(session.slice(0, 13)) + 1) + session.slice(13)
    const foreign = createOperator({ token: `${TOKEN}!`, ended: nothingEnded(), nowMs: Date.now }).newSession()
    for (const wrong of [undefined, '', 'x.y.z', later, foreign, `${session}=`, session.slice(0, -1)]) {
      expect(await operator.isSession(wrong), wrong).toBe(false)
    }
  })

  test('an operator who signs out ends the session for every process, and no other session', async () => {
    const ended = nothingEnded()
    const [one, other] = [TOKEN, TOKEN].map((token) => createOperator({ token, ended, nowMs: Date.now }))
    const [session, second] = [one!.newSession(), one!.newSession()]
    await one!.endSession(session)
    expect([await other!.isSession(session), await other!.isSession(second)]).toEqual([false, true])
  })

  test('an operator gives each session a form token of its own', () => {
    const operator = createOperator({ token: TOKEN, ended: nothingEnded(), nowMs: Date.now })
    const [mine, other] = [operator.newSession(), operator.newSession()]
    expect(operator.isFormToken(mine, operator.formTokenOf(mine))).toBe(true)
    expect(operator.isFormToken(mine, operator.formTokenOf(other))).toBe(false)
    expect(operator.isFormToken(mine, undefined)).toBe(false)
  })
})
