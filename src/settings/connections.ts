import { integer } from './kinds.ts'

// How long requests may take, and how many connections there may be.

export const connectionsSettings = {
  REQUEST_TIMEOUT_MS: integer({
    default: '10000',
    min: 1_000,
    max: 120_000,
    meaning: 'Longest time for a request to arrive, and for one statement.',
  }),
  HEADER_TIMEOUT_MS: integer({
    default: '10000',
    min: 1_000,
    max: 120_000,
    meaning: 'Longest time for the head of a request to arrive; never more than REQUEST_TIMEOUT_MS.',
  }),
  IDLE_TIMEOUT_MS: integer({
    default: '72000',
    min: 1_000,
    max: 600_000,
    meaning: 'How long a connection may stay open while nothing moves on it.',
  }),
  MAX_CONNECTIONS: integer({
    default: '10000',
    min: 10,
    max: 1_000_000,
    meaning:
      'Most connections of clients per process; never more than three quarters of the files that the system lets it open.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({
    default: '500',
    min: 1,
    max: 1_000_000,
    meaning:
      'Most of them from one address (IPv6: one /64), and never more than half; addresses in TRUSTED_PROXIES are not counted.',
  }),
  SHUTDOWN_TIMEOUT_MS: integer({
    default: '15000',
    min: 1_000,
    max: 300_000,
    meaning: 'How long running requests may finish after SIGTERM.',
  }),
}
