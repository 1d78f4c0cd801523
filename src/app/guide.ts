import { namesOf } from '../core/notifications/events.ts'
import { eventsOfPayments } from '../core/payments/sample-transaction.ts'
import { eventsOfPayouts } from '../modules/payouts/sample-event.ts'
import { eventsOfRefunds } from '../modules/refunds/sample-refund.ts'
import type { Guide } from '../guide/book.ts'
import { savedMethodsChapter } from '../modules/saved-methods/guide/saved-methods.ts'
import { disputesChapter } from '../modules/disputes/guide/disputes.ts'
import { endpointsChapter } from '../guide/chapters/endpoints.ts'
import { errorsChapter } from '../guide/chapters/errors.ts'
import { formChapter } from '../guide/chapters/form.ts'
import { liveChapter } from '../guide/chapters/live.ts'
import { movingChapter } from '../guide/chapters/moving.ts'
import { notificationsChapter } from '../guide/chapters/notifications.ts'
import { paymentsChapter } from '../guide/chapters/payments.ts'
import { payoutsChapter } from '../modules/payouts/guide/payouts.ts'
import { projectsChapter } from '../guide/chapters/projects.ts'
import { refundsChapter } from '../modules/refunds/guide/refunds.ts'
import { startChapter } from '../guide/chapters/start.ts'
import { testingChapter } from '../guide/chapters/testing.ts'

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
