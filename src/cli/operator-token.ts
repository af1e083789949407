import { newOperatorToken, operatorTokenOf } from '../app/data-dir.ts'
import { type Command, UsageError } from './command.ts'

export const operatorToken: Command = {
  summary: 'Print the token that opens the console',
  usage: 'operator-token',
  flags: { new: { describe: 'Make another; running servers take it at their next start, and all sessions end then' } },
  run: async ({ flags, configuration: { settings }, print }) => {
    const { DATA_DIR, OPERATOR_TOKEN } = settings
    if (flags.new === undefined) print(operatorTokenOf(DATA_DIR, OPERATOR_TOKEN))
    else if (OPERATOR_TOKEN !== undefined) throw new UsageError('OPERATOR_TOKEN is set: change it there')
    else print(newOperatorToken(DATA_DIR))
    return 'done'
  },
}
