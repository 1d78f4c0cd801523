import { namesOf } from '../core/notifications/events.ts'
import type { Guide, Source } from '../guide/book.ts'
import type { Module } from '../modules/module.ts'
import { eventsOf } from './modules.ts'
import { endpointsChapter } from '../guide/chapters/endpoints.ts'
import { errorsChapter } from '../guide/chapters/errors.ts'
import { formChapter } from '../guide/chapters/form.ts'
import { liveChapter } from '../guide/chapters/live.ts'
import { movingChapter } from '../guide/chapters/moving.ts'
import { notificationsChapter } from '../guide/chapters/notifications.ts'
import { paymentsChapter } from '../guide/chapters/payments.ts'
import { projectsChapter } from '../guide/chapters/projects.ts'
import { startChapter } from '../guide/chapters/start.ts'
import { testingChapter } from '../guide/chapters/testing.ts'

/** In the order of the menu; those of other modules come at the end. */
const order = [
  '',
  'payments',
  'refunds',
  'saved-methods',
  'disputes',
  'payouts',
  'form',
  'notifications',
  'endpoints',
  'testing',
  'errors',
  'projects',
  'moving',
  'live',
]

/** Groups of operations, in the order of /openapi.json and the guide. */
export const groupOrder = [
  'Payments',
  'Refunds',
  'Saved methods',
  'Disputes',
  'Payouts',
  'Notifications',
  'Endpoints',
  'Projects',
]

/** What /docs consists of. */
export function guideOf(modules: readonly Module[]): Guide {
  // Everything that needs no day to pass, and no saved method. A test compares.
  const triggered = namesOf(eventsOf(modules).filter(({ isTriggered = true }) => isTriggered))
  return {
    groups: inOrder(groupOrder, {
      Payments: 'Create payment links, look transactions up, list and cancel them.',
      Notifications: 'What we tell your server, how it went, and again please.',
      Endpoints: 'URLs of yours that hear of every payment.',
      Projects: 'Named collections of your work: a site, a shop, a campaign.',
      ...Object.assign({}, ...modules.map(({ groups }) => groups)),
    }),
    chapters: inOrder(order, {
      '': startChapter,
      payments: paymentsChapter,
      form: formChapter,
      notifications: notificationsChapter,
      endpoints: endpointsChapter,
      testing: (source: Source) => testingChapter(source, triggered),
      errors: errorsChapter,
      projects: projectsChapter,
      moving: movingChapter,
      live: liveChapter,
      ...Object.assign({}, ...modules.map(({ chapters }) => chapters)),
    }),
  }
}

function inOrder<T>(names: readonly string[], things: Readonly<Record<string, T>>): Record<string, T> {
  const place = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.length)
  return Object.fromEntries(Object.entries(things).toSorted(([one], [other]) => place(one) - place(other)))
}
