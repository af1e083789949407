// Writes JSON lines for machines, pretty lines on a terminal. Fields that are named like a secret are hidden.
import { createRequire } from 'node:module'
import { type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogOptions = {
  readonly level: LogLevel
  readonly pretty: boolean
  /** Texts that no line may contain. */
  readonly hidden?: readonly string[]
}

const HIDDEN = ['secret', 'passphrase', 'password', 'privateKey', 'token', 'authorization', 'cookie']

export function createLog({ level, pretty, hidden = [] }: LogOptions): Log {
  const hide = (line: string) => hidden.reduce((text, secret) => text.replaceAll(secret, '***'), line)
  const options = {
    ...(hidden.length > 0 && { hooks: { streamWrite: hide } }),
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: stdSerializers.err },
    redact: { paths: HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
  }
  if (!pretty) return pino(options)
  // It takes long to load, so only a terminal loads it.
  const { PinoPretty }: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return pino(options, PinoPretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', sync: true }))
}

/** The log of a worker. Its lines go to the log of the parent, which adds the time and hides secrets. */
export function createWorkerLog(level: LogLevel, write: (line: string) => void): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: stdSerializers.err },
    },
    { write },
  )
}

/** Writes a line that came from the log of a worker. */
export function writeWorkerLine(log: Log, line: string): void {
  const { level, msg, ...fields } = JSON.parse(line) as { level: Exclude<LogLevel, 'silent'>; msg: string }
  log[level](fields, msg)
}

/** Text in which every URL is shown without user name, password and query, and without path segments that may be API keys. */
export function withoutCredentials(text: string): string {
  return text.replace(URLS, (_all, scheme: string, rest: string) => scheme + shownRest(scheme, rest))
}

/** What must not be shown of a value that may be a URL: the same parts, as they stand there and decoded. */
export function credentialsIn(value: string): string[] {
  return [...value.matchAll(URLS)].flatMap(([, scheme = '', rest = '']) => {
    const { user, password, path, query } = partsOf(rest)
    const values = [...new URLSearchParams(query.slice(1)).values()]
    const secrets = [password, query.slice(1), ...values]
    if (!isDatabase(scheme)) secrets.push(user, ...path.split('/').filter(mayBeKey))
    return [...new Set(secrets.flatMap((each) => [each, decoded(each)]))].filter(
      ({ length }) => length >= SHORTEST_SECRET,
    )
  })
}

const URLS = /([a-z][a-z0-9+.-]*:\/\/)([^\s"'`<>\\]+)/gi
/** Shorter ones are hidden inside of URLs only, since they may be a part of any word. */
const SHORTEST_SECRET = 6

function shownRest(scheme: string, rest: string): string {
  const { user, password, host, path, query, fragment } = partsOf(rest)
  const login = user === '' && password === '' ? '' : isDatabase(scheme) ? `${user}:***@` : '***@'
  const shownPath = isDatabase(scheme)
    ? path
    : path.replace(/[^/]+/g, (segment) => (mayBeKey(segment) ? '***' : segment))
  return `${login}${host}${shownPath}${query === '' ? '' : '?***'}${fragment}`
}

/** A password may contain anything, so everything before the last `@` belongs to the login. */
function partsOf(rest: string) {
  const at = rest.lastIndexOf('@')
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(rest.slice(0, Math.max(0, at))) ?? []
  const [, host = '', path = '', query = '', fragment = ''] =
    /^([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest.slice(at + 1)) ?? []
  return { user, password, host, path, query, fragment }
}

/** Node providers put API keys into the path: long, or letters and digits mixed. */
function mayBeKey(segment: string): boolean {
  return segment.length >= 20 || (segment.length >= 8 && /\d/.test(segment) && /[a-z]/i.test(segment))
}

function isDatabase(scheme: string): boolean {
  return scheme.startsWith('postgres')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
