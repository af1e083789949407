/** What the exit code of a command means; `firstlight --help` lists them. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed; the message says why' },
  usage: { code: 2, meaning: 'the command line was not understood' },
  tryLater: { code: 75, meaning: 'something needed does not answer; trying again later can help' },
  config: { code: 78, meaning: 'a setting cannot be used' },
  forced: { code: 130, meaning: 'stopped at once by a second Ctrl-C' },
} as const

export type ExitCode = keyof typeof exitCodes
