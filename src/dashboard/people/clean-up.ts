import type { Job } from '../../platform/jobs/job.ts'
import { deleteOldChallenges } from './factors/factor-store.ts'
import { deleteOldLinks } from './link-store.ts'
import { deleteOldFlows } from './openid/identity-store.ts'
import type { People } from './people.ts'
import { deleteOldDevices, deleteOldSessions } from './sessions/session-store.ts'
import { idleMs, longestMs } from './sessions/sessions.ts'
import { deleteOldTries } from './wait-store.ts'

const everyMs = 600_000
const dayMs = 24 * 3_600_000
const deviceDays = 400

/** Expired rows are deleted some minutes late: every reader checks the time itself. */
export function cleanUpJob({ db, now }: People): Job {
  return {
    name: 'forget old sessions and links',
    everyMs,
    async run() {
      const at = now().getTime()
      const before = (ms: number): Date => new Date(at - ms)
      await deleteOldSessions(db, before(idleMs), before(longestMs))
      await deleteOldLinks(db, before(0))
      await deleteOldChallenges(db, before(0))
      await deleteOldFlows(db, before(0))
      await deleteOldTries(db, before(dayMs))
      await deleteOldDevices(db, before(deviceDays * dayMs))
      // All of it at once, so there is never more to do now.
      return 0
    },
  }
}
