// A machine that runs many tests, or stands still for a moment, may keep a database waiting for longer than a shop would. Tests
// of a wait say their own.

export const patience = { DATABASE_WAIT_MS: '60000', REQUEST_TIMEOUT_MS: '60000' }
