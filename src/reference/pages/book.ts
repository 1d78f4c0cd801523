import type { Chapter, ChapterText, Source } from '../book.ts'
import { savedMethodsChapter } from '../saved-methods-chapter.ts'
import { disputesChapter } from './disputes.ts'
import { endpointsChapter } from './endpoints.ts'
import { errorsChapter } from './errors.ts'
import { formChapter } from './form.ts'
import { liveChapter } from './live.ts'
import { notificationsChapter } from './notifications.ts'
import { paymentsChapter } from './payments.ts'
import { payoutsChapter } from './payouts.ts'
import { projectsChapter } from './projects.ts'
import { refundsChapter } from './refunds.ts'
import { startChapter } from './start.ts'
import { testingChapter } from './testing.ts'

/** The groups of operations, as tags of /openapi.json: each has a chapter. */
export const groups = {
  Payments: 'Create payment links, look transactions up, list and cancel them.',
  Refunds: 'Give money back, and see what became of it.',
  'Saved methods': 'Charge customers again by agreement, without asking each time.',
  Disputes: 'Banks that ask for money back, and what you can do.',
  Payouts: 'What networks paid to your bank, and what they still hold.',
  Notifications: 'What we tell your server, how it went, and again please.',
  Endpoints: 'URLs of yours that hear of every payment.',
  Projects: 'Named collections of your work: a site, a shop, a campaign.',
}

/** By their names below /docs, in the order of the menu. */
const writers: Readonly<Record<string, (source: Source) => ChapterText>> = {
  '': startChapter,
  payments: paymentsChapter,
  refunds: refundsChapter,
  'saved-methods': savedMethodsChapter,
  disputes: disputesChapter,
  payouts: payoutsChapter,
  form: formChapter,
  notifications: notificationsChapter,
  endpoints: endpointsChapter,
  testing: testingChapter,
  errors: errorsChapter,
  projects: projectsChapter,
  live: liveChapter,
}

export const chapterNames: readonly string[] = Object.keys(writers)

export function writeBook(source: Source): readonly Chapter[] {
  return Object.entries(writers).map(([name, write]) => ({ name, ...write(source) }))
}
