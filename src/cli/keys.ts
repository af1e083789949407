import { randomBytes } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import type { KeyRing } from '../access/key-ring.ts'
import { MAX_NAME_CHARS, nameProblem, passphraseProblem } from '../access/key-rules.ts'
import { keyRingOf } from '../app/access-part.ts'
import { withDatabase } from '../app/database-part.ts'
import { actionNamed, type Command, type ExitCode, type Invocation, UsageError } from './command.ts'

export const keys: Command = {
  summary: 'Create, list and revoke API keys',
  usage: 'keys create|list|revoke',
  flags: {
    name: { value: 'text', describe: 'create: what the key is for' },
    passphrase: {
      value: 'text',
      describe: 'create: its passphrase; - reads it from standard input; generated when left out',
    },
    json: { describe: 'Print JSON' },
  },
  run: async (invocation) => {
    const [word, ...words] = invocation.words
    const action = actionNamed('keys', actions, word)
    const { settings } = invocation.configuration
    return withDatabase(settings, (database) => action(keyRingOf(settings, database), { ...invocation, words }))
  },
}

async function create(keyRing: KeyRing, { words, flags, print }: Invocation): Promise<ExitCode> {
  const name = flags.name ?? words[0] ?? ''
  if (nameProblem(name)) throw new UsageError(`keys create needs --name with at most ${MAX_NAME_CHARS} characters`)
  const passphrase = await passphraseFrom(flags.passphrase)
  const refused = passphraseProblem(passphrase)
  if (refused) throw new UsageError(refused)
  const issued = await keyRing.issue({ name, passphrase })
  if (flags.json !== undefined) print(JSON.stringify(issued))
  else {
    print(`Key         ${issued.key}`)
    print(`Secret      ${issued.secret}`)
    print(`Passphrase  ${flags.passphrase === undefined ? passphrase : '(as given)'}`)
    print('The secret is shown only once. Neither the secret nor the passphrase can be recovered.')
  }
  return 'done'
}

async function passphraseFrom(given: string | undefined): Promise<string> {
  if (given === undefined) return randomBytes(12).toString('base64url')
  return given === '-' ? (await readAll(process.stdin)).trim() : given
}

async function list(keyRing: KeyRing, { flags, print }: Invocation): Promise<ExitCode> {
  const listed = await keyRing.list()
  if (flags.json !== undefined) print(JSON.stringify(listed))
  else if (listed.length === 0) print('There are no keys. Create one: firstlight keys create --name <text>')
  else {
    for (const { key, name, createdMs, revokedMs } of listed) {
      const state = revokedMs === null ? 'active' : `revoked ${new Date(revokedMs).toISOString()}`
      print(`${key}  ${new Date(createdMs).toISOString()}  ${state.padEnd(8)}  ${name}`)
    }
  }
  return 'done'
}

async function revoke(keyRing: KeyRing, { words, print }: Invocation): Promise<ExitCode> {
  const [id] = words
  if (!id) throw new UsageError('keys revoke needs the key: firstlight keys revoke <key>')
  if (await keyRing.revoke(id)) {
    print(`Revoked ${id}. Every process refuses it within a second.`)
    return 'done'
  }
  print(`There is no active key ${id}.`)
  return 'failed'
}

const actions = { create, list, revoke }
