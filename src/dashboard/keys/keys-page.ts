import { html, type Html } from '../../platform/http/html.ts'
import type { KeySummary } from '../../core/merchants/list.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { codeStyles } from '../parts/code.ts'
import { emptyList, pill, table } from '../parts/lists.ts'
import { head, timeAgo, shopTime, type ShopTime } from '../parts/parts.ts'
import { section } from '../parts/things.ts'

// Keys of this mode, and keys without a mode.

export function keysPage(ask: MemberAsk, keys: readonly KeySummary[]): Content {
  const { home, mode, role } = ask.place
  const now = shopTime(ask)
  const mayChange = hasRight(role, 'keys.change')
  const living = keys.filter((key) => isLiving(key, now))
  const over = keys.filter((key) => !isLiving(key, now))
  const create = mayChange && html`<a class="button go" href="${home}/keys/new">New key</a>`
  return {
    title: 'Keys',
    styles: [codeStyles],
    body: html`${head('Keys', {
      lead: `Your programs and pages use these keys in ${mode} mode.`,
      ...(create && { action: create }),
    })}
      ${
        living.length === 0
          ? emptyList(
              'No keys yet',
              'A secret key lets your server create payments. You see it once, when you create it.',
              html`<a class="button plain" href="${ask.dashboard.prefix}/docs">How to use it</a>`,
            )
          : keyTable(ask, living, 'Keys')
      }
      ${section(
        'Webhook secret',
        html`<p class="quiet">Your server uses it to verify that a notification came from Florin.</p>
          <div><a class="button plain" href="${home}/keys/webhook-secret">Webhook secret</a></div>`,
      )}
      ${
        over.length > 0 &&
        html`<details>
          <summary>Revoked and ended (${over.length})</summary>
          ${keyTable(ask, over, 'Revoked and ended keys')}
        </details>`
      }`,
  }
}

export function isLiving({ revoked_at: revoked, ends_at: ends }: KeySummary, now: Date): boolean {
  return revoked === null && (ends === null || Date.parse(ends) > now.getTime())
}

function keyTable(ask: MemberAsk, keys: readonly KeySummary[], label: string): Html {
  const now = shopTime(ask)
  return table({
    label,
    rows: keys.toReversed(),
    to: ({ id }) => `${ask.place.home}/keys/${id}`,
    columns: [
      { label: 'Name', draw: ({ name }) => name },
      { label: 'Key', draw: ({ hint }) => html`<code>${hint}</code>` },
      { label: 'Kind', draw: describeKind },
      { label: 'State', draw: (key) => keyState(key, now) },
      { label: 'Last used', draw: (key) => lastUsed(key, now) },
    ],
  })
}

export function lastUsed({ last_used_at: at }: KeySummary, now: ShopTime): Html | string {
  return at === null ? 'never' : timeAgo(new Date(at), now)
}

const kinds = { secret: 'Secret', form: 'Form', api: 'Projects' } as const

export const dialectNames = {
  florin: undefined,
  family: 'For a plugin written for PayChangu, Chapa or a script of that family',
} as const

export function describeKind({ kind, form, may_refund: mayRefund, dialect }: KeySummary): string {
  return [
    kinds[kind],
    kind === 'form' && form?.signed === true && 'signed',
    kind === 'secret' && !mayRefund && 'no refunds',
    dialect === 'family' && 'for other plugins',
  ]
    .filter((part) => part !== false)
    .join(', ')
}

export function keyState(key: KeySummary, now: Date): Html {
  if (key.revoked_at !== null) return pill('revoked', 'bad')
  if (!isLiving(key, now)) return pill('ended')
  if (key.exposed_at !== null) return pill('exposed', 'bad')
  return key.ends_at === null ? pill('active', 'good') : pill('ends soon', 'warn')
}
