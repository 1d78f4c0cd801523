import { integer } from './kinds.ts'

// What merchants' developers can look at.

export const requestLogSettings = {
  REQUEST_LOG_DAYS: integer({
    default: '7',
    min: 0,
    max: 365,
    meaning: 'How long merchants can see requests made with their keys. 0: no request log.',
  }),
  REQUEST_LOG_PER_SECOND: integer({
    default: '5',
    min: 1,
    max: 100_000,
    meaning:
      'Logged requests per second, merchant and server; failed requests, and requests with ended keys, each get the same again. A fifth of this is guaranteed to every merchant; beyond that, all merchants share ten times this number.',
  }),
}
