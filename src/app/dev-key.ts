import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../access/key-ring.ts'
import { type DevKey, readDevKey, writeDevKey } from './data-dir.ts'

/** The development key of this data folder: the one made before while it is still good, otherwise a new one. */
export async function ensureDevKey(dataDir: string, keyRing: KeyRing): Promise<DevKey> {
  const known = readDevKey(dataDir)
  if (known && (await keyRing.find(known.key))) return known
  const passphrase = `dev-${randomBytes(6).toString('hex')}`
  const { key, secret } = await keyRing.issue({ name: 'development', passphrase })
  const devKey = { key, secret, passphrase }
  writeDevKey(dataDir, devKey)
  return devKey
}
