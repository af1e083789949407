// API keys, request signatures and rate limits, wired to the database.
import { createAuthenticator } from '../access/authenticate.ts'
import { createKeyRing, type KeyRing } from '../access/key-ring.ts'
import { createKeyUsage, type KeyUsage } from '../access/key-usage.ts'
import { createOperator, type Operator } from '../access/operator.ts'
import { createLocalLimiter, createSharedLimiter, type RateLimiter } from '../access/rate-limits.ts'
import { type AddressLimit, type Admission, createAddressLimit, createAdmission } from '../http/admission/admission.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { monotonicMs } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { BucketRule } from '../lib/numbers/token-bucket.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import type { Database } from '../store/engine/database.ts'
import { createEndedSessionStore } from '../store/keys/ended-sessions.ts'
import { createKeyUsageStore } from '../store/keys/key-usage.ts'
import { createKeyStore } from '../store/keys/keys.ts'
import { createRateBucketStore } from '../store/keys/rate-buckets.ts'
import { createUsedSignatureStore } from '../store/keys/used-signatures.ts'
import { type DevKey, ensureDevKey, keysSecretOf, operatorTokenOf } from './data-dir.ts'
import type { Config } from './options.ts'

export type Access = {
  readonly keyRing: KeyRing
  readonly usage: KeyUsage
  readonly operator: Operator
  readonly devKey: DevKey | undefined
}

const FLUSH_USAGE_EVERY_MS = 5_000
const PRUNE_USAGE_EVERY_MS = 3_600_000
const PRUNE_EVERY_MS = 60_000
/** A bucket that nobody used for a day counts as full. */
const BUCKET_IDLE_MS = 86_400_000
/** Used signatures outlive their window by this time: a clock that is set forward and back again must not let one be used twice. */
const CLOCK_SET_BACK_MS = 7_200_000

/** Counts the use of keys in memory, and writes it every few seconds and once more at the end; deletes used signatures, ended
 * sessions and idle buckets. */
export function accessPart(options: {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly withDevKey: boolean
}): Part<Access & { readonly stop: () => Promise<unknown> }> {
  const { config, database, log, withDevKey } = options
  return {
    name: 'access',
    start: async () => {
      const keyRing = keyRingOf(config, database)
      await keyRing.proveSeal()
      const devKey = withDevKey ? await ensureDevKey(config.DATA_DIR, keyRing) : undefined
      const usage = createKeyUsage({ store: createKeyUsageStore(database), nowMs: Date.now })
      const signatures = createUsedSignatureStore(database)
      const ended = createEndedSessionStore(database)
      const token = operatorTokenOf(config.DATA_DIR, config.OPERATOR_TOKEN)
      const operator = createOperator({ token, ended, nowMs: Date.now })
      const buckets = createRateBucketStore(database)
      const onUsageError = (error: unknown): void => log.warn({ error }, 'key usage was not stored')
      const prune = (): void => {
        const nowMs = Date.now()
        const pruned = [
          signatures.prune(nowMs - CLOCK_SET_BACK_MS),
          ended.prune(nowMs - CLOCK_SET_BACK_MS),
          buckets.prune(nowMs - BUCKET_IDLE_MS),
        ]
        Promise.all(pruned).catch((error) =>
          log.warn({ error }, 'used signatures, ended sessions and idle rate limits were not pruned'),
        )
      }
      const timers = [
        setInterval(prune, PRUNE_EVERY_MS),
        setInterval(() => void usage.flush().catch(onUsageError), FLUSH_USAGE_EVERY_MS),
        setInterval(() => void usage.prune().catch(onUsageError), PRUNE_USAGE_EVERY_MS),
      ]
      const stop = (): Promise<unknown> => {
        for (const timer of timers) clearInterval(timer)
        return usage.flush().catch(onUsageError)
      }
      return { keyRing, usage, operator, devKey, stop }
    },
    stop: ({ stop }) => stop(),
  }
}

export function keyRingOf(config: Config, database: Database): KeyRing {
  return createKeyRing({
    store: createKeyStore(database),
    box: createSecretBox(keysSecretOf(config.DATA_DIR, config.KEYS_SECRET)),
    nowMs: Date.now,
  })
}

export function admissionOf(
  config: Config,
  database: Database,
  keyRing: KeyRing,
  usage?: Pick<KeyUsage, 'count'>,
): Admission {
  const limiter = (scope: string, perSecond: number, burst: number): RateLimiter | undefined =>
    perSecond === 0 ? undefined : limiterOf(config, database, scope, { perSecond, burst })
  return createAdmission({
    authenticator: createAuthenticator({
      prefixes: [...new Set(['SVC', ...config.AUTH_HEADER_PREFIXES])],
      keyRing,
      signatures: createUsedSignatureStore(database),
      nowMs: Date.now,
    }),
    keyRing,
    unsignedFromLoopback: config.AUTH === 'off',
    perKey: limiter('key', config.RATE_LIMIT_KEY, config.RATE_LIMIT_KEY_BURST),
    perAddress: limiter('ip', config.RATE_LIMIT_IP, config.RATE_LIMIT_IP_BURST),
    ...(usage && { onKeyUse: usage.count }),
  })
}

/** The rate limit of routes that must answer while the database is down: this process counts alone. */
export function localAddressLimit(config: Config): AddressLimit {
  return createAddressLimit(
    config.RATE_LIMIT_IP === 0
      ? undefined
      : createLocalLimiter({ perSecond: config.RATE_LIMIT_IP, burst: config.RATE_LIMIT_IP_BURST }, monotonicMs),
  )
}

/** Whether other processes serve on the same port. */
export function sharesPort(config: Config): boolean {
  return config.SHARED_PORT || config.API_PROCESSES > 0
}

/** Processes that serve together share their buckets through the database; with PostgreSQL they may run on any machine. */
function limiterOf(config: Config, database: Database, scope: string, rule: BucketRule): RateLimiter {
  return database.engine === 'postgres' || sharesPort(config)
    ? createSharedLimiter({ scope, rule, store: createRateBucketStore(database), nowMs: Date.now })
    : createLocalLimiter(rule, monotonicMs)
}
