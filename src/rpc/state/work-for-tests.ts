import { createTurns } from '../../lib/async/turns.ts'
import { createRequestWork, createWorkBalances, type RequestWork } from './client-work.ts'

/** The work of a client without a limit, alone on its thread. */
export function workForTests(): RequestWork {
  const balance = createWorkBalances(null, Date.now).of('test')
  return createRequestWork({ client: 'test', isGone: () => false }, { turns: createTurns(), balance })
}
