// The files that Firstlight keeps in DATA_DIR besides the database; all readable by the owner only.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type DevKey = { key: string; secret: string; passphrase: string }

/** The key that seals API secrets: the one given, or one made on first use and kept from then on. */
export function keysSecretOf(dataDir: string, given: string | undefined): string {
  return given ?? keptText(join(dataDir, 'keys-secret'), () => randomBytes(32).toString('hex'))
}

/** What opens the console: the token given, or one made on first use and kept from then on. */
export function operatorTokenOf(dataDir: string, given: string | undefined): string {
  return given ?? keptText(operatorTokenFile(dataDir), newToken)
}

export function newOperatorToken(dataDir: string): string {
  const token = newToken()
  writePrivate(operatorTokenFile(dataDir), `${token}\n`)
  return token
}

function operatorTokenFile(dataDir: string): string {
  return join(dataDir, 'operator-token')
}
function newToken(): string {
  return randomBytes(20).toString('base64url')
}

export function devKeyFile(dataDir: string): string {
  return join(dataDir, 'dev-key.json')
}

export function readDevKey(dataDir: string): DevKey | undefined {
  const text = readIfThere(devKeyFile(dataDir))
  if (!text) return undefined
  try {
    return JSON.parse(text) as DevKey
  } catch {
    // A torn file is as good as none: a new key is made in its place.
    return undefined
  }
}

export function writeDevKey(dataDir: string, key: DevKey): void {
  writePrivate(devKeyFile(dataDir), `${JSON.stringify(key, null, 2)}\n`)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What the file has, or what is made now. Of processes that make it at once one is first, and all have what that one made. */
function keptText(file: string, make: () => string): string {
  const known = readIfThere(file)?.trim()
  if (known) return known
  const made = `${make()}\n`
  // Nothing but blanks is what a full disk left, and would be an empty secret.
  if (known === '') writePrivate(file, made)
  else writeFirst(file, made)
  return readFileSync(file, 'utf8').trim()
}

function writePrivate(file: string, text: string): void {
  renameSync(wholeFileBeside(file, text), file)
}

/** Unless another process was quicker. */
function writeFirst(file: string, text: string): void {
  const whole = wholeFileBeside(file, text)
  try {
    linkSync(whole, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(whole)
  }
}

/** It gets its name when it is whole: nobody ever reads half of it. */
function wholeFileBeside(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true })
  const beside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(beside, text, { mode: 0o600, flush: true })
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  return beside
}
