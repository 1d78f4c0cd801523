import { connectionLost } from '../../platform/database/connection-lost.ts'
import { sqlState } from '../../platform/database/database.ts'
import { DatabaseUnavailable, innermost } from '../../platform/errors/database-unavailable.ts'

const insufficientPrivilege = '42501'

/** What is wrong with an unusable database, and what to do; undefined for any other error. */
export function databaseTrouble(name: string, error: unknown): string | undefined {
  const { message } = innermost(error)
  const start = `${name.replace(/^t/, 'T')} can't be used: ${message}.`
  if (sqlState(error) === insufficientPrivilege) {
    const example = 'grant usage, create on schema public to florin'
    return `${start} Grant the missing rights to its role, such as: ${example}`
  }
  const isAway = error instanceof DatabaseUnavailable || connectionLost(error) !== undefined
  // pg and Node report TLS problems only as text.
  const isTls = /\bSSL\b|\bTLS\b|certificate/.test(message)
  if (!isAway && !isTls) return undefined
  const advice = message.includes('certificate')
    ? ' Add the certificate of its authority: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem'
    : ''
  if (message.includes('startup parameter'))
    return `${start} It is behind a pooler: set DATABASE_LISTEN_URL to PostgreSQL itself.`
  return `${start} Check DATABASE_URL.${advice}`
}
