import { namesOf } from '../notifications/events.ts'
import { eventsOfPayments } from '../payments/sample-transaction.ts'
import { eventsOfPayouts } from '../payouts/sample-event.ts'
import { eventsOfRefunds } from '../refunds/sample-refund.ts'
import type { Guide } from '../reference/book.ts'
import { savedMethodsChapter } from '../reference/chapters/saved-methods.ts'
import { disputesChapter } from '../reference/chapters/disputes.ts'
import { endpointsChapter } from '../reference/chapters/endpoints.ts'
import { errorsChapter } from '../reference/chapters/errors.ts'
import { formChapter } from '../reference/chapters/form.ts'
import { liveChapter } from '../reference/chapters/live.ts'
import { movingChapter } from '../reference/chapters/moving.ts'
import { notificationsChapter } from '../reference/chapters/notifications.ts'
import { paymentsChapter } from '../reference/chapters/payments.ts'
import { payoutsChapter } from '../reference/chapters/payouts.ts'
import { projectsChapter } from '../reference/chapters/projects.ts'
import { refundsChapter } from '../reference/chapters/refunds.ts'
import { startChapter } from '../reference/chapters/start.ts'
import { testingChapter } from '../reference/chapters/testing.ts'

/** What florin trigger can do: everything that needs no day to pass, and no saved method. A test compares. */
const triggered = namesOf([...eventsOfPayments, ...eventsOfRefunds, ...eventsOfPayouts]).filter(
  (name) => name !== 'payment.expired',
)

/** What /docs consists of. */
export const guide: Guide = {
  groups: {
    Payments: 'Create payment links, look transactions up, list and cancel them.',
    Refunds: 'Give money back, and see what became of it.',
    'Saved methods': 'Charge customers again by agreement, without asking each time.',
    Disputes: 'Banks that ask for money back, and what you can do.',
    Payouts: 'What networks paid to your bank, and what they still hold.',
    Notifications: 'What we tell your server, how it went, and again please.',
    Endpoints: 'URLs of yours that hear of every payment.',
    Projects: 'Named collections of your work: a site, a shop, a campaign.',
  },
  chapters: {
    '': startChapter,
    payments: paymentsChapter,
    refunds: refundsChapter,
    'saved-methods': savedMethodsChapter,
    disputes: disputesChapter,
    payouts: payoutsChapter,
    form: formChapter,
    notifications: notificationsChapter,
    endpoints: endpointsChapter,
    testing: (source) => testingChapter(source, triggered),
    errors: errorsChapter,
    projects: projectsChapter,
    moving: movingChapter,
    live: liveChapter,
  },
}
