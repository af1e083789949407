import { createRequestWork, type RequestWork } from './request-work.ts'
import { createTurns } from './turns.ts'
import { createWorkBalances } from './work-balances.ts'

/** The work of a client without a limit, alone on its thread. */
export function workForTests(): RequestWork {
  const balance = createWorkBalances(null, Date.now).of('test')
  return createRequestWork({ client: 'test', isGone: () => false }, { turns: createTurns(), balance })
}
