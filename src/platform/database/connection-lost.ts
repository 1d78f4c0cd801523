import { MadeBefore } from '../errors/made-before.ts'
import pg from 'pg'
import { DatabaseUnavailable, innermost, ShareTaken } from '../errors/database-unavailable.ts'

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
  '58P01', // a file is missing: see lacksFile
])

// A cluster's coordinator that loses a node, or its own postmaster, in mid-statement reports it only as text (XX000).
// Whether the node had committed is unknown then.
const lostByCluster =
  /^(?:postmaster was shut down, exiting|could not commit transaction for shard \d|failure on connection marked as essential|could not establish any connections to the node )/

export function connectionLost(error: unknown): 'before sending' | 'after sending' | undefined {
  if (!(error instanceof Error)) return undefined
  const code = (error as { code?: string }).code ?? ''
  if (beforeSending.has(code) || refusedByServer.has(code) || lacksFile(error)) return 'before sending'
  if (afterSending.has(code)) return 'after sending'
  // Fatal errors end the connection: idle for too long, the database dropped, the password changed.
  if (error instanceof pg.DatabaseError)
    return error.severity === 'FATAL' || lostByCluster.test(error.message) ? 'after sending' : undefined
  // pg distinguishes these only by their message.
  if (/timeout exceeded when trying to connect|Cannot use a pool after calling end/.test(error.message)) {
    return 'before sending'
  }
  if (/Connection terminated|Query read timeout|not queryable|Client has encountered/.test(error.message)) {
    return 'after sending'
  }
  return undefined
}

/**
 * PostgreSQL's program was replaced while it runs: a new connection can't load a library, such as the one of plpgsql, which
 * our constraints need. Connections that loaded it before continue.
 */
export function lacksFile(error: unknown): boolean {
  const state = sqlState(error)
  return (
    state === '58P01' || (state === 'XX000' && (error as Error).message.startsWith('incompatible library'))
  )
}

// PgBouncer has one code for everything that it reports itself.
const lostByPooler = /^(?:connect failed|server conn crashed|server login|pgbouncer cannot connect)/

/** The server can't be reached, or isn't taking connections now: neither the request nor the login is wrong. */
export function mayAnswerSoon(error: unknown): boolean {
  const lost = innermost(error)
  if (lost instanceof pg.DatabaseError) {
    const { code = '', message } = lost
    return beforeSending.has(code) || afterSending.has(code) || lostByPooler.test(message)
  }
  // pg distinguishes the second only by its message.
  if (connectionLost(lost) !== undefined || lost.message === 'timeout expired') return true
  return lost.cause instanceof Error && mayAnswerSoon(lost.cause)
}

export function asUnavailable(error: unknown, outcomeUnknown: boolean): unknown {
  const lost = connectionLost(error)
  if (lost === undefined) return error
  return new DatabaseUnavailable(lost === 'after sending' && outcomeUnknown, { cause: error })
}

/** The error, when its connection can't be used again; a server that says no is still there. */
export function brokenBy(error: unknown): Error | undefined {
  return error instanceof DatabaseUnavailable && isAway(error) ? error : undefined
}

/** The whole database, not one merchant's share or one node of a cluster: a coordinator that lacks a node says so. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable) || error.cause instanceof ShareTaken) return false
  return !(error.cause instanceof pg.DatabaseError && error.cause.severity === 'ERROR')
}

/** PostgreSQL's code of a failed statement, such as 23505 for a unique index. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/**
 * A cluster's node names the constraint with the number of its shard: projects_name_once_102024. The coordinator repeats
 * that only in the message. A value that could be quoted is in the detail.
 */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.constraint === constraint) return true
  if (error.constraint !== undefined) return names(error.constraint, constraint)
  return sqlState(error)?.startsWith('23') === true && names(error.message, constraint)
}

/** For a row whose id was drawn before it is made: asked for twice there is one. `key`: the primary key of its table. */
export async function makeOnce<T>(key: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw violates(error, key) ? new MadeBefore() : error
  })
}

function names(message: string, constraint: string): boolean {
  return message.split(/\W+/).some((word) => word.replace(/_\d+$/, '') === constraint)
}
