import { integer } from './kinds.ts'

// What developers of merchants can look at.

export const requestLogSettings = {
  REQUEST_LOG_DAYS: integer({
    default: '7',
    min: 0,
    max: 365,
    meaning: 'How long merchants can look at requests that were made with their keys. 0: none are kept.',
  }),
  REQUEST_LOG_PER_SECOND: integer({
    default: '5',
    min: 1,
    max: 100_000,
    meaning:
      'How many are kept per second, merchant and server; as many again of those that were refused, and of those whose key no longer works. Beyond a fifth of it of each, all merchants together have as many as ten.',
  }),
}
