// The files that Firstlight keeps in DATA_DIR besides the database; all readable by the owner only.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type DevKey = { key: string; secret: string; passphrase: string }

/** The key that seals API secrets: the one given, or one made on first use and kept from then on. */
export const keysSecretOf = (dataDir: string, given: string | undefined): string => {
  if (given !== undefined) return given
  const file = join(dataDir, 'keys-secret')
  const known = readIfThere(file)
  if (known) return known.trim()
  const secret = randomBytes(32).toString('hex')
  writePrivate(dataDir, file, `${secret}\n`)
  return secret
}

export const operatorTokenFile = (dataDir: string): string => join(dataDir, 'operator-token')

/** What opens the console: the token given, or one made on first use and kept from then on. */
export const operatorTokenOf = (dataDir: string, given: string | undefined): string =>
  given ?? readIfThere(operatorTokenFile(dataDir))?.trim() ?? newOperatorToken(dataDir)

export const newOperatorToken = (dataDir: string): string => {
  const token = randomBytes(20).toString('base64url')
  writePrivate(dataDir, operatorTokenFile(dataDir), `${token}\n`)
  return token
}

export const devKeyFile = (dataDir: string): string => join(dataDir, 'dev-key.json')

export const readDevKey = (dataDir: string): DevKey | undefined => {
  const text = readIfThere(devKeyFile(dataDir))
  if (!text) return undefined
  try {
    return JSON.parse(text) as DevKey
  } catch {
    // A torn file is as good as none: a new key is made in its place.
    return undefined
  }
}

export const writeDevKey = (dataDir: string, key: DevKey): void =>
  writePrivate(dataDir, devKeyFile(dataDir), `${JSON.stringify(key, null, 2)}\n`)

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const writePrivate = (dataDir: string, file: string, text: string): void => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, text, { mode: 0o600 })
  // The mode above counts only for a new file.
  chmodSync(file, 0o600)
}
