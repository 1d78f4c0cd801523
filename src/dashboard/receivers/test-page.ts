import { html } from '../../platform/http/html.ts'
import { defaultEvent } from '../../core/notifications/events.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { select } from '../parts/lists.ts'
import { crumb, field, form, head, noMistakes, problems, type Mistakes } from '../parts/parts.ts'

// Sends a sample event and shows the response.

export function testPage(
  ask: MemberAsk,
  typed: Readonly<Record<string, string | undefined>> = {},
  mistakes: Mistakes = noMistakes,
): Content {
  const path = `${ask.place.home}/notifications`
  return {
    title: 'Send a test',
    body: html`${head('Send a test', {
      crumb: crumb(path, 'Notifications'),
      lead: 'A realistic, signed notification, sent once. You’ll see the response.',
    })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          `${path}/test`,
          html`${field(
            {
              name: 'callback_url',
              label: 'callback_url',
              value: typed['callback_url'],
              hint:
                ask.place.mode === 'live'
                  ? 'The https URL of your server.'
                  : 'The URL of your server, such as https://shop.example.com/ipn.',
            },
            mistakes,
          )}
            ${select(
              'event',
              'Event',
              ask.dashboard.events.map(({ name }) => [name, name]),
              typed['event'] ?? defaultEvent,
              'No payment is changed.',
            )}
            <div><button class="go">Send</button></div>`,
        )}
      </div>`,
  }
}
