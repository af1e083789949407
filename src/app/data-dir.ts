// The files in DATA_DIR besides the database: secrets and the development key, readable by their owner only.
import { randomBytes } from 'node:crypto'
import { accessSync, constants, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeyRing } from '../access/key-ring.ts'
import { ConfigError } from '../lib/config/config.ts'

export type DevKey = { key: string; secret: string; passphrase: string }

/** Fails at once where the folder cannot be made: everything that is stored would fail later, and seem to be worth a retry. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
  } catch (cause) {
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be used as a folder: ${(cause as Error).message}`, { cause })
  }
}

/** The key that encrypts API secrets: the one given, or one that is generated and stored on first use. */
export function keysSecretOf(dataDir: string, given: string | undefined): string {
  return given ?? storedText(join(dataDir, 'keys-secret'), () => randomBytes(32).toString('hex'))
}

/** The token that opens the console: the one given, or one that is generated and stored on first use. */
export function operatorTokenOf(dataDir: string, given: string | undefined): string {
  return given ?? storedText(operatorTokenFile(dataDir), newToken)
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

/** The development key of this data folder: the stored one while it is valid, otherwise a new one. */
export async function ensureDevKey(dataDir: string, keyRing: KeyRing): Promise<DevKey> {
  const stored = readDevKey(dataDir)
  if (stored && (await keyRing.find(stored.key))) return stored
  const passphrase = `dev-${randomBytes(6).toString('hex')}`
  const { key, secret } = await keyRing.issue({ name: 'development', passphrase })
  const devKey = { key, secret, passphrase }
  writePrivate(devKeyFile(dataDir), `${JSON.stringify(devKey, null, 2)}\n`)
  return devKey
}

function readDevKey(dataDir: string): DevKey | undefined {
  const text = readIfThere(devKeyFile(dataDir))
  if (!text) return undefined
  try {
    return JSON.parse(text) as DevKey
  } catch {
    // A half-written file counts as none: a new key replaces it.
    return undefined
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The content of the file, generated if there is none. Where several processes generate it at the same time, all get that of the first. */
function storedText(file: string, generate: () => string): string {
  const stored = readIfThere(file)?.trim()
  if (stored) return stored
  const generated = `${generate()}\n`
  // A full disk can leave an empty file, which must not become an empty secret.
  if (stored === '') writePrivate(file, generated)
  else writeFirst(file, generated)
  return readFileSync(file, 'utf8').trim()
}

function writePrivate(file: string, text: string): void {
  renameSync(writeTemporaryFile(file, text), file)
}

/** Writes the file unless another process was faster. */
function writeFirst(file: string, text: string): void {
  const temporary = writeTemporaryFile(file, text)
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
}

/** A file gets its real name only when it is complete, so that nobody reads half of it. */
function writeTemporaryFile(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true })
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return temporary
}
