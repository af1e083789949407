import { newOperatorToken, operatorTokenOf } from '../app/data-dir.ts'
import { type Command, UsageError } from './command.ts'

export const operatorToken: Command = {
  summary: 'Print the token that opens the console',
  usage: 'operator-token',
  flags: {
    new: { describe: 'Generate a new token; servers use it from their next start on, and all sessions end then' },
  },
  run: async ({ flags, configuration: { settings }, print }) => {
    const { DATA_DIR, OPERATOR_TOKEN } = settings
    if (flags.new === undefined) print(operatorTokenOf(DATA_DIR, OPERATOR_TOKEN))
    else if (OPERATOR_TOKEN !== undefined) throw new UsageError('OPERATOR_TOKEN is set: change its value instead')
    else print(newOperatorToken(DATA_DIR))
    return 'done'
  },
}
