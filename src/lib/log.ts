// JSON lines for machines, pretty lines on a terminal. Whatever looks like a secret is cut out before it is written.
import { createRequire } from 'node:module'
import { type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const HIDDEN = ['secret', 'passphrase', 'password', 'privateKey', 'token', 'authorization', 'cookie']

export function createLog({ level, pretty }: { level: LogLevel; pretty: boolean }): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: stdSerializers.err },
    redact: { paths: HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
  }
  if (!pretty) return pino(options)
  // Loaded for those who look at it.
  const { PinoPretty }: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return pino(options, PinoPretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', sync: true }))
}

/** For a thread, whose lines go to the log of the one that started it: that one adds the time and hides what is secret. */
export function createThreadLog(level: LogLevel, write: (line: string) => void): Log {
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

/** Writes a line of such a thread. */
export function logLine(log: Log, line: string): void {
  const { level, msg, ...fields } = JSON.parse(line) as { level: Exclude<LogLevel, 'silent'>; msg: string }
  log[level](fields, msg)
}

/** A URL without what may be a key: the password, the query, and long words of the path, where providers of nodes have theirs. */
export function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (url.password) url.password = '***'
  if (url.search) url.search = '?***'
  if (!url.protocol.startsWith('postgres')) url.pathname = url.pathname.replace(KEY_IN_PATH, '***')
  return url.href
}

const KEY_IN_PATH = /[^/]{20,}/g
