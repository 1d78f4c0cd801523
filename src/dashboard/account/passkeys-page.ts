import { html, type Html } from '../../http/html.ts'
import type { PasskeySummary } from '../../people/find-person.ts'
import { deviceName } from '../../people/sessions/device-name.ts'
import type { Content, PersonAsk } from '../ask.ts'
import { field, head, passkeyForm, press, problems, timeAgo, type Mistakes } from '../parts/parts.ts'
import { at, back } from './page.ts'

export function passkeysPage(
  ask: PersonAsk,
  passkeys: readonly PasskeySummary[],
  mistakes: Mistakes = {},
): Content {
  const now = ask.people.now()
  const lead =
    'A passkey is kept by your phone, computer or security key. You sign in with a finger, a face or a PIN.'
  return {
    title: 'Passkeys',
    body: html`${head('Passkeys', { crumb: back(ask), lead })} ${problems(mistakes)}
      ${
        passkeys.length > 0 &&
        html`<ul class="rows">
          ${passkeys.map(
            ({ id, name, createdAt, usedAt }) => html`<li>
              <div class="what">
                <b>${name}</b>
                <span class="quiet small"
                  >Added ${timeAgo(new Date(createdAt), now)}${usedAt !== null && html`, used ${timeAgo(new Date(usedAt), now)}`}</span
                >
              </div>
              ${press(ask, `${at(ask, '/passkeys')}/do/remove`, 'Remove', { id })}
            </li>`,
          )}
        </ul>`
      }
      <div class="card form">${ask.site ? addPasskeyForm(ask, mistakes) : noPasskeys(ask)}</div>`,
  }
}

function addPasskeyForm(ask: PersonAsk, mistakes: Mistakes): Html {
  return html`${passkeyForm(
    ask,
    { action: at(ask, '/passkeys'), options: `${at(ask, '/passkeys')}/options`, label: 'Add a passkey' },
    true,
    field(
      {
        name: 'name',
        label: 'What to call it',
        value: deviceName(ask.visitor.device),
        hint: 'So that you know it among others.',
      },
      mistakes,
    ),
  )}
    <p class="quiet" data-no-passkey hidden>This browser has no passkeys. Try another one.</p>
    <noscript><p class="quiet">Passkeys need JavaScript.</p></noscript>`
}

function noPasskeys(ask: PersonAsk): Html {
  const { port } = new URL(ask.dashboard.baseUrl)
  return html`<p>
    Browsers make passkeys for names, not for addresses of numbers. On your own machine, open
    <code>http://localhost${port === '' ? '' : `:${port}`}</code>; elsewhere set <code>BASE_URL</code> to a name with
    HTTPS.
  </p>`
}
