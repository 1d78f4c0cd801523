/** The database did not answer. `outcomeUnknown` is true when a commit may have happened all the same. */
export class DatabaseUnavailable extends Error {
  readonly outcomeUnknown: boolean

  constructor(outcomeUnknown: boolean, options?: ErrorOptions) {
    super('The database is unavailable or overloaded', options)
    this.name = 'DatabaseUnavailable'
    this.outcomeUnknown = outcomeUnknown
  }

  /** Why nothing can be done with the whole database; undefined when it was one statement that failed. */
  get why(): string | undefined {
    const cause = innermost(this)
    const { code = '' } = cause as { code?: string }
    if (cause instanceof DatabaseUnavailable || ofOneStatement.has(code)) return undefined
    return causes.get(code) ?? cause.message
  }
}

/**
 * A merchant's statements hold all connections that one merchant may (database/pool/bulkheads.ts), and one more has waited
 * too long. Others are served, so it says nothing of the whole database.
 */
export class ShareTaken extends Error {
  readonly code = 'share_taken'

  constructor() {
    super("The merchant's other statements hold all connections that one merchant may")
  }
}

/** The real cause; a name with several addresses fails with one error for each. */
export function innermost(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0])
  if (error instanceof DatabaseUnavailable && error.cause !== undefined) return innermost(error.cause)
  return error as Error
}

const ofOneStatement = new Set([
  'share_taken',
  '57014', // statement_timeout
  '40001',
  '40P01', // rolled back in favour of another transaction
])

const causes = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['ETIMEDOUT', 'connection timed out'],
  ['ENOTFOUND', 'host name not found'],
  ['EAI_AGAIN', 'host name not found'],
  ['25006', 'read-only'],
  ['53100', 'disk full'],
  ['53200', 'out of memory'],
  ['53300', 'too many connections'],
  ['57P01', 'shutting down'],
  ['57P02', 'crashed, restarting'],
  ['57P03', 'starting up or shutting down'],
  ['58P01', 'its program files were replaced while it ran: restart PostgreSQL'],
])
