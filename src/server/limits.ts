import type { Config } from '../settings/config.ts'
import { makeRateLimit } from '../http/rate-limit.ts'
import type { CardTestingLimits } from '../payments/card-testing/limits.ts'

// What the settings allow of requests and of declined cards.

/**
 * Each counts for itself, so that nobody spends what another needs. Those of guessers are divided among the servers; that of a
 * key is not, as a program with one open connection has all its requests on one server.
 */
export function makeLimits(config: Config, milliseconds: () => number, servers: () => number) {
  const perKey = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST }
  const misses = { perSecond: config.MISS_LIMIT_PER_SECOND, burst: config.MISS_LIMIT_PER_SECOND }
  return {
    keyLimit: makeRateLimit(perKey, milliseconds),
    // Apart from those of keys: whoever has many addresses must not push the keys of others out of memory.
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
