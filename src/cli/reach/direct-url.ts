import type { Config } from '../../platform/settings/config.ts'

/** PostgreSQL itself, also where DATABASE_URL leads to a pooler; empty: the embedded one. */
export function directUrl({ DATABASE_URL, DATABASE_LISTEN_URL }: Config): string {
  return DATABASE_URL && (DATABASE_LISTEN_URL || DATABASE_URL)
}
