import { html } from '../../platform/http/html.ts'
import type { WebhookSecret } from '../../core/notifications/ipn/webhook-secrets.ts'
import { hasRight } from '../people/rights.ts'
import { readSnippets } from '../../guide/snippets/read-snippets.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { codeInLanguages, codeStyles } from '../parts/code.ts'
import {
  crumb,
  form,
  head,
  press,
  problems,
  formatExactly,
  timeAgo,
  type Mistakes,
  shopTime,
} from '../parts/parts.ts'
import { copyable, facts, section } from '../parts/things.ts'
import { overlapChoice } from './key-page.ts'

// The webhook secret. Showing it asks for the password or a passkey again.

type Shown = { readonly isShown?: boolean; readonly mistakes?: Mistakes }

export function webhookSecretPage(
  ask: MemberAsk,
  secrets: readonly WebhookSecret[],
  { isShown = false, mistakes = {} }: Shown = {},
): Content {
  const { home, role, mode } = ask.place
  const path = `${home}/keys/webhook-secret`
  const now = shopTime(ask)
  const mayChange = hasRight(role, 'keys.change')
  return {
    title: 'Webhook secret',
    styles: [codeStyles],
    body: html`${head('Webhook secret', {
      crumb: crumb(`${home}/keys`, 'Keys'),
      lead: `Florin signs every notification in ${mode} mode with it.`,
      ...(mayChange && !isShown && { action: press(ask, `${path}/do/show`, 'Show secret', {}, 'go') }),
    })}
      ${secrets.map(({ secret, created_at: created, ends_at: ends }) =>
        facts([
          [
            ends === null ? 'Secret' : 'Old secret',
            isShown ? copyable(secret, 'Webhook secret') : html`<code>whsec_…</code>`,
          ],
          ['Created', timeAgo(new Date(created), now)],
          ['Signs until', ends === null ? undefined : formatExactly(new Date(ends), now)],
        ]),
      )}
      ${section(
        'Verify a notification',
        html`${codeInLanguages('verify', 'Verify a notification', readSnippets('verify', ask.dashboard.baseUrl, ['curl']))}
          <p><a href="${ask.dashboard.prefix}/docs/notifications#verify">Read more in the guide</a></p>`,
      )}
      ${
        mayChange &&
        section(
          'Roll secret',
          html`<div class="card form">
            ${problems(mistakes)}
            <p class="quiet">
              Florin signs with the new secret from now on, and with the old one too for a while, so your server accepts every
              notification while you switch.
            </p>
            ${form(
              ask,
              `${path}/do/roll`,
              html`${secrets.filter(({ ends_at }) => ends_at === null).map(({ id }) => html`<input type="hidden" name="rolled" value="${id}" />`)}
                ${overlapChoice('Keep the old secret')}
                <div><button class="plain">Roll secret</button></div>`,
            )}
          </div>`,
        )
      }`,
  }
}
