import { integer, list } from './kinds.ts'

// How often a caller may call, and which proxies are trusted about addresses.

export const limitsSettings = {
  RATE_LIMIT_PER_SECOND: integer({
    default: '100',
    min: 1,
    max: 1_000_000,
    meaning: 'Requests per second and key, on each server.',
  }),
  RATE_LIMIT_BURST: integer({
    default: '200',
    min: 1,
    max: 1_000_000,
    meaning: 'Burst size: requests an idle key may send at once.',
  }),
  MISS_LIMIT_PER_SECOND: integer({
    default: '10',
    min: 1,
    max: 1_000_000,
    meaning:
      'Failed look-ups (404) per second and key; for checkout links and wrong keys per address (IPv6: per /64).',
  }),
  CARD_TESTING_FREE_DECLINES: integer({
    default: '5',
    min: 1,
    max: 1_000_000,
    meaning:
      'Declined cards from one address (IPv6: per /64), or of one card, at one merchant before waits begin.',
  }),
  CARD_TESTING_ATTACK_DECLINES: integer({
    default: '30',
    min: 1,
    max: 1_000_000,
    meaning: 'Declined cards of one merchant within ten minutes before it may be under attack.',
  }),
  CARD_TESTING_ATTACK_PERCENT: integer({
    default: '70',
    min: 1,
    max: 100,
    meaning: 'The percentage of its attempts they must make up to count as an attack.',
  }),
  TRUSTED_PROXIES: list({
    default: '',
    meaning:
      'Addresses or CIDR ranges whose X-Forwarded-For and x-request-id Florin trusts, separated by commas.',
    example: '10.0.0.0/8,192.168.1.5',
  }),
}
