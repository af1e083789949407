import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The variables of a `.env` file; none when there is no such file. */
export function dotenvFrom(path: string): Record<string, string> {
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
