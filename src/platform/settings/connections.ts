import { integer } from './kinds.ts'

// How long requests may take, and how many connections there may be.

export const connectionsSettings = {
  REQUEST_TIMEOUT_MS: integer({
    default: '10000',
    min: 1_000,
    max: 120_000,
    meaning: 'Timeout for a request to arrive, and for one database statement.',
  }),
  HEADER_TIMEOUT_MS: integer({
    default: '10000',
    min: 1_000,
    max: 120_000,
    meaning: 'Timeout for the headers of a request; never more than REQUEST_TIMEOUT_MS.',
  }),
  IDLE_TIMEOUT_MS: integer({
    default: '72000',
    min: 1_000,
    max: 600_000,
    meaning: 'How long an idle connection stays open.',
  }),
  MAX_CONNECTIONS: integer({
    default: '10000',
    min: 10,
    max: 1_000_000,
    meaning: 'Maximum client connections per process; never more than three quarters of the open-file limit.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({
    default: '500',
    min: 1,
    max: 1_000_000,
    meaning:
      'Maximum from one address (IPv6: one /64), never more than half of MAX_CONNECTIONS; addresses in TRUSTED_PROXIES are exempt.',
  }),
  SHUTDOWN_TIMEOUT_MS: integer({
    default: '15000',
    min: 1_000,
    max: 300_000,
    meaning: 'How long running requests may take to finish after SIGTERM.',
  }),
}
