import pg from 'pg'

const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOENT', // the socket of a PostgreSQL on this machine, while it is down
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE', // no socket is left for a connection
  '57P03', // cannot connect now: starting up or shutting down
  '53300', // too many connections
])

const afterSending = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // terminated by an administrator: PostgreSQL is being stopped
  '57P02', // another backend crashed
  '08006',
  '08003',
  '08000',
  '08001',
  '08004',
])

// Answers that say for certain that nothing was done.
const refusedByServer = new Set([
  '57014', // statement_timeout
  '53100',
  '53200',
  '53400', // disk full, out of memory, limits
  '25006', // read-only: a standby
  '40001',
  '40P01', // rolled back in favour of another transaction
])

export function connectionLost(error: unknown): 'before sending' | 'after sending' | undefined {
  if (!(error instanceof Error)) return undefined
  const code = (error as { code?: string }).code ?? ''
  if (beforeSending.has(code) || refusedByServer.has(code)) return 'before sending'
  if (afterSending.has(code)) return 'after sending'
  // Fatal errors end the connection: idle for too long, the database dropped, the password changed.
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL' ? 'after sending' : undefined
  // pg tells these apart by sentence only.
  if (/timeout exceeded when trying to connect|Cannot use a pool after calling end/.test(error.message)) {
    return 'before sending'
  }
  if (/Connection terminated|Query read timeout|not queryable|Client has encountered/.test(error.message)) {
    return 'after sending'
  }
  return undefined
}
