import { html, type Html } from '../../../platform/http/html.ts'
import type { PasskeySummary } from '../find-person.ts'
import { deviceName } from '../sessions/device-name.ts'
import type { Content, PersonAsk } from '../../ask.ts'
import {
  field,
  head,
  passkeyForm,
  press,
  problems,
  timeAgo,
  type Mistakes,
  shopTime,
} from '../../parts/parts.ts'
import { at, back } from './page.ts'

export function passkeysPage(
  ask: PersonAsk,
  passkeys: readonly PasskeySummary[],
  mistakes: Mistakes = {},
): Content {
  const now = shopTime(ask)
  const lead =
    'A passkey lives on your phone, computer or security key. You sign in with your fingerprint, face or PIN.'
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
        label: 'Name',
        value: deviceName(ask.visitor.device),
        hint: 'So you can tell your passkeys apart.',
      },
      mistakes,
    ),
  )}
    <p class="quiet" data-no-passkey hidden>This browser doesn’t support passkeys. Try another one.</p>
    <noscript><p class="quiet">Passkeys need JavaScript.</p></noscript>`
}

function noPasskeys(ask: PersonAsk): Html {
  const { port } = new URL(ask.dashboard.baseUrl)
  return html`<p>
    Passkeys need a host name, not an IP address. On your own machine, open
    <code>http://localhost${port === '' ? '' : `:${port}`}</code>; elsewhere, set <code>BASE_URL</code> to an HTTPS
    address with a host name.
  </p>`
}
