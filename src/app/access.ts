// Wires keys, signatures and rate limits to the database.
import { createAuthenticator } from '../access/authenticate.ts'
import { createKeyRing, type KeyRing } from '../access/key-ring.ts'
import { createKeyUsage, type KeyUsage } from '../access/key-usage.ts'
import { createLocalLimiter, createSharedLimiter, type RateLimiter } from '../access/rate-limits.ts'
import { type Admission, createAddressLimit, createAdmission } from '../http/admission/admission.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { BucketRule } from '../lib/numbers/token-bucket.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import type { Database } from '../store/engine/database.ts'
import { createKeyUsageStore } from '../store/keys/key-usage.ts'
import { createKeyStore } from '../store/keys/keys.ts'
import { createRateBucketStore } from '../store/keys/rate-buckets.ts'
import { createUsedSignatureStore } from '../store/keys/used-signatures.ts'
import { keysSecretOf } from './data-dir.ts'
import type { Config } from './options.ts'

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

/** For what must be answered while the database is down: counted by this process alone. */
export function localAddressLimit(config: Config): Admission['limitAddress'] {
  return createAddressLimit(
    config.RATE_LIMIT_IP === 0
      ? undefined
      : createLocalLimiter({ perSecond: config.RATE_LIMIT_IP, burst: config.RATE_LIMIT_IP_BURST }, Date.now),
  )
}

/** Whether other processes serve on the same port. */
export function sharesPort(config: Config): boolean {
  return config.SHARED_PORT || config.API_PROCESSES > 0
}

/** Where several processes serve (on PostgreSQL they may, anywhere) they share their buckets through the database. */
function limiterOf(config: Config, database: Database, scope: string, rule: BucketRule): RateLimiter {
  return database.engine === 'postgres' || sharesPort(config)
    ? createSharedLimiter({ scope, rule, store: createRateBucketStore(database), nowMs: Date.now })
    : createLocalLimiter(rule, Date.now)
}

const PRUNE_EVERY_MS = 60_000
/** A bucket that nobody touched for a day is taken for full. */
const BUCKET_IDLE_MS = 86_400_000

/** Forgets used signatures and idle buckets once a minute. */
export function startPruning(
  database: Database,
  lifecycle: Lifecycle,
  onError: (error: unknown) => void,
): Promise<void> {
  const signatures = createUsedSignatureStore(database)
  const buckets = createRateBucketStore(database)
  const prune = () => {
    const now = Date.now()
    Promise.all([signatures.prune(now), buckets.prune(now - BUCKET_IDLE_MS)]).catch(onError)
  }
  let timer: NodeJS.Timeout | undefined
  return lifecycle.start({
    name: 'pruning',
    start: () => {
      timer = setInterval(prune, PRUNE_EVERY_MS)
    },
    stop: () => clearInterval(timer),
  })
}

const FLUSH_EVERY_MS = 5_000
const PRUNE_USAGE_EVERY_MS = 3_600_000

/** Counts in memory and hands on every few seconds, and once more at the end. */
export async function startKeyUsage(
  database: Database,
  lifecycle: Lifecycle,
  onError: (error: unknown) => void,
): Promise<KeyUsage> {
  const usage = createKeyUsage({ store: createKeyUsageStore(database), nowMs: Date.now })
  let timers: NodeJS.Timeout[] = []
  await lifecycle.start({
    name: 'key usage',
    start: () => {
      timers = [
        setInterval(() => void usage.flush().catch(onError), FLUSH_EVERY_MS),
        setInterval(() => void usage.prune().catch(onError), PRUNE_USAGE_EVERY_MS),
      ]
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      return usage.flush().catch(onError)
    },
  })
  return usage
}
