import type { Config } from '../../platform/settings/config.ts'

/** Something went wrong, and this is who was asked: a person often has several servers and databases. */
export class FailedWhenAsked extends Error {
  readonly asked: string

  constructor(asked: string, cause: unknown) {
    super(`asked ${asked}`, { cause })
    this.asked = asked
  }
}

/** Runs `work`; what it throws says who was asked. */
export async function asking<T>(asked: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof FailedWhenAsked ? error : new FailedWhenAsked(asked, error)
  }
}

/** The database of the settings as a person would call it, without its password. */
export function databaseName(config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): string {
  if (config.DATABASE_URL === '') return `the database in ${config.DATA_DIR}`
  const url = new URL(config.DATABASE_URL.replace('@/', '@localhost/'))
  const host = url.searchParams.get('host') ?? url.host
  const name = decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username)
  return `the database ${name} at ${host}`
}
