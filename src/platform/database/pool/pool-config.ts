import type { PoolConfig } from 'pg'

// How connections to PostgreSQL are opened.

export type DatabaseOptions = {
  readonly poolSize?: number
  readonly waitMs?: number
  readonly statementTimeoutMs?: number
  readonly name?: string
  readonly onConnectionError?: (error: Error) => void
  readonly observe?: DatabaseObserver
  /** Through a pooler that shares connections out by transaction: it takes no settings, and forgets statements. */
  readonly pooled?: boolean
  /** To a node of a cluster, for statements about its own shards. */
  readonly isNode?: boolean
}

export type DatabaseObserver = {
  /** How many callers shared a statement. */
  batch(size: number): void
  /** How long callers waited who found no idle connection. */
  waited(seconds: number): void
  /** Called before statements leave; what it returns is called when they are answered. */
  readonly statement?: (texts: readonly string[]) => (error?: unknown) => void
}

// For tests and tools, which may run on a busy machine: Florin itself always says how long (DATABASE_WAIT_MS,
// REQUEST_TIMEOUT_MS).
const patientMs = 60_000

export function timeoutOf({ statementTimeoutMs = patientMs }: DatabaseOptions): number {
  return statementTimeoutMs
}

type OurConfig = PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number }

export function poolConfig(url: string, options: DatabaseOptions): OurConfig {
  const timeout = timeoutOf(options)
  const { plainUrl, asked } = splitOptions(url)
  const pool = {
    connectionString: plainUrl,
    max: options.poolSize ?? 20,
    connectionTimeoutMillis: options.waitMs ?? patientMs,
    keepAlive: true,
    application_name: options.name ?? 'florin',
  }
  // The role has them instead: see refuseWrongSettings.
  if (options.pooled === true) return { ...pool, ...(asked !== '' && { options: asked }) }
  return {
    ...pool,
    statement_timeout: timeout,
    idle_in_transaction_session_timeout: timeout * 2,
    options: `${asked} ${ourOptions} ${options.isNode === true ? toChangeShards : ''}`.trim(),
  }
}

// Pages are in memory or on a solid disk, where one read costs as much as the next. jit compiles statements that the planner
// thinks expensive, which costs more than any of ours. Ours come after those of the URL and win: isoMicroseconds reads times
// of this zone and style only.
export const ourOptions = '-c timezone=UTC -c datestyle=ISO -c jit=off -c random_page_cost=1.1'

/** Otherwise Citus refuses to write to a shard by its own name. */
const toChangeShards = '-c citus.enable_manual_changes_to_shards=on'

/** Takes `options` out of the URL, because pg would use them instead of ours; both are sent. */
export function splitOptions(url: string): { plainUrl: string; asked: string } {
  if (!URL.canParse(url)) return { plainUrl: url, asked: '' }
  const parsed = new URL(url)
  const asked = parsed.searchParams.get('options') ?? ''
  if (asked === '') return { plainUrl: url, asked }
  parsed.searchParams.delete('options')
  return { plainUrl: parsed.href, asked }
}
