import type { Config } from '../platform/settings/config.ts'
import { makeRateLimit } from '../platform/http/rate-limit.ts'
import type { CardTestingLimits } from '../core/payments/card-testing/limits.ts'

// The settings' limits on requests and declined cards.

export type Limits = ReturnType<typeof makeLimits>

/**
 * Each limit counts separately, so that no caller spends another's. Those against guessing are divided among the
 * servers; a key's isn't, as a program with one open connection has all its requests on one server.
 */
export function makeLimits(config: Config, milliseconds: () => number, servers: () => number) {
  const perKey = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST }
  const misses = { perSecond: config.MISS_LIMIT_PER_SECOND, burst: config.MISS_LIMIT_PER_SECOND }
  return {
    keyLimit: makeRateLimit(perKey, milliseconds),
    // Separate from those of keys: a caller with many addresses must not push others' keys out of memory.
    formLimit: makeRateLimit(perKey, milliseconds),
    missLimit: makeRateLimit(misses, milliseconds, servers),
    wrongKeyLimit: makeRateLimit(misses, milliseconds, servers),
    forgedLimit: makeRateLimit(misses, milliseconds, servers),
  }
}

export function cardTestingLimits(config: Config): CardTestingLimits {
  return {
    freeDeclines: config.CARD_TESTING_FREE_DECLINES,
    attackDeclines: config.CARD_TESTING_ATTACK_DECLINES,
    attackPercent: config.CARD_TESTING_ATTACK_PERCENT,
  }
}
