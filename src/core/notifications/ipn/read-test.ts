import { Fields } from '../../../platform/input/fields.ts'
import { urlLengthMax, urlMistake } from '../../../platform/input/url.ts'
import type { Mode } from '../../merchants/mode.ts'
import { defaultEvent, namesOf, type NotificationEvent } from '../events.ts'

/** Where to send a sample, and which event. */
export function readTest(
  body: unknown,
  mode: Mode,
  events: readonly NotificationEvent[],
): { target: string; event: NotificationEvent } {
  const fields = new Fields(body)
  const target = fields.requiredText('callback_url', { max: urlLengthMax }) ?? ''
  const mistake = target === '' ? undefined : urlMistake(target, { httpsOnly: mode === 'live' })
  if (mistake !== undefined) fields.fail('callback_url', mistake)
  return { target, event: readEvent(fields, events) }
}

/** The last field: refuses what was wrong in those before as well. */
export function readEvent(fields: Fields, events: readonly NotificationEvent[]): NotificationEvent {
  const given = fields.text('event', { max: 100 }) ?? defaultEvent
  const event = events.find(({ name }) => name === given)
  if (event === undefined) fields.fail('event', `must be one of ${namesOf(events).join(', ')}`)
  fields.check()
  return event as NotificationEvent
}
