// Writes JSON lines for machines, pretty lines on a terminal. Fields that are named like a secret are hidden.
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

/** A URL with possible keys masked: the password, the query, and long path segments, where node providers put their API keys. */
export function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (url.password) url.password = '***'
  if (url.search) url.search = '?***'
  if (!url.protocol.startsWith('postgres')) url.pathname = url.pathname.replace(KEY_IN_PATH, '***')
  return url.href
}

const KEY_IN_PATH = /[^/]{20,}/g
