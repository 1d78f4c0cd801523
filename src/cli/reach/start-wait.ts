import { refuseSharedSessions } from '../../platform/database/pool/pooler.ts'
import { connectOnce, whenDatabaseAnswers } from '../../platform/database/pool/wait-for-database.ts'
import { isPooled, type Config } from '../../platform/settings/config.ts'
import type { Stopping } from '../terminal/stopping.ts'
import type { Announce } from '../terminal/announce.ts'
import { databaseName } from './asked.ts'
import { directUrl } from './direct-url.ts'

/** Its works share the DATABASE_START_WAIT_S of one start. Each must be repeatable. */
export function makeStartWait(
  config: Config,
  announce: Announce,
  stopping: Stopping,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = {
    untilMs: performance.now() + config.DATABASE_START_WAIT_S * 1_000,
    say: announce.progress,
    refuseIfStopped: () => stopping.refuseIfTold(),
  }
  return async (work) => whenDatabaseAnswers(databaseName(config), waiting, work)
}

/** An external PostgreSQL may be behind a pooler, which needs another address beside it. */
export async function refuseWrongAddress(config: Config): Promise<void> {
  if (config.DATABASE_URL === '') return
  await connectOnce(directUrl(config))
  if (isPooled(config)) await connectOnce(config.DATABASE_URL)
  await refuseSharedSessions(
    directUrl(config),
    isPooled(config) ? 'DATABASE_LISTEN_URL' : 'DATABASE_URL',
    config.REQUEST_TIMEOUT_MS,
  )
}
