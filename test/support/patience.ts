// A machine that runs many tests, or stands still for ten seconds, takes longer for a request or a statement than a shop would
// wait. Tests of a limit set their own.

export const patience = {
  DATABASE_WAIT_MS: '60000',
  REQUEST_TIMEOUT_MS: '60000',
  HEADER_TIMEOUT_MS: '60000',
}
