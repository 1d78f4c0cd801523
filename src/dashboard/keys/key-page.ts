import { html, type Html } from '../../platform/http/html.ts'
import type { KeySummary } from '../../core/merchants/list.ts'
import { displayAmount } from '../../platform/money/money.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { idField } from '../once.ts'
import { select } from '../parts/lists.ts'
import {
  crumb,
  form,
  head,
  problems,
  formatExactly,
  timeAgo,
  type Mistakes,
  shopTime,
} from '../parts/parts.ts'
import { facts, section, type Fact } from '../parts/things.ts'
import { isLiving, keyState, lastUsed, describeKind, dialectNames } from './keys-page.ts'
import { overlaps } from './read-key.ts'

// One key: its rights, its last use, and how to end it.

export function keyPage(ask: MemberAsk, key: KeySummary): Content {
  const { home, role } = ask.place
  const now = shopTime(ask)
  const path = `${home}/keys/${key.id}`
  const mayChange = hasRight(role, 'keys.change') && isLiving(key, now)
  const times: Fact[] = [
    ['Created', timeAgo(new Date(key.created_at), now)],
    ['Last used', lastUsed(key, now)],
    ['Ends', key.ends_at === null ? undefined : formatExactly(new Date(key.ends_at), now)],
    ['Revoked', key.revoked_at === null ? undefined : timeAgo(new Date(key.revoked_at), now)],
    ['Found in a web form', key.exposed_at === null ? undefined : timeAgo(new Date(key.exposed_at), now)],
  ]
  return {
    title: key.name,
    body: html`${head(key.name, {
      crumb: crumb(`${home}/keys`, 'Keys'),
      ...(mayChange && {
        action: html`<div class="actions">
          <a class="button plain" href="${path}/roll">Roll</a>
          <a class="button danger" href="${path}/revoke">Revoke</a>
        </div>`,
      }),
    })}
      ${
        key.exposed_at !== null &&
        isLiving(key, now) &&
        html`<div class="problem" role="alert">
          <h2>This secret key is in a web form</h2>
          <p>Anyone who opened that page can read it. Use a form key there, and roll this one.</p>
        </div>`
      }
      ${facts([
        ['Key', html`<code>${key.hint}</code>`],
        ['Id', html`<code>${key.id}</code>`],
        ['Kind', describeKind(key)],
        ['Dialect', dialectNames[key.dialect]],
        ['State', keyState(key, now)],
        ['Mode', key.mode ?? 'both (projects have no mode)'],
        ...times,
      ])}
      ${key.form !== null && section('Limits of its forms', facts(boundsOf(key.form)))}
      <p><a href="${home}/requests?key=${key.id}">Requests with this key</a></p>`,
  }
}

function boundsOf(bound: NonNullable<KeySummary['form']>): Fact[] {
  const currency = bound.currencies?.[0]
  const money = (minor: number | null): string | undefined =>
    minor === null || currency === undefined ? undefined : displayAmount(BigInt(minor), currency, 'en-GB')
  return [
    ['Allowed return_url hosts', bound.hosts.join(', ')],
    ['Allowed callback_url hosts', bound.callback_hosts?.join(', ')],
    [
      'tx_ref starts with',
      bound.tx_ref_prefix === null ? undefined : html`<code>${bound.tx_ref_prefix}</code>`,
    ],
    ['Currency', bound.currencies?.join(', ')],
    ['Smallest amount', money(bound.min_minor)],
    ['Largest amount', money(bound.max_minor)],
    ['Signed', bound.signed ? 'yes: unsigned forms are refused' : 'no'],
    ['Title, description, logo', bound.shows_title ? 'shown' : 'ignored'],
  ]
}

export function rollPage(ask: MemberAsk, key: KeySummary, mistakes: Mistakes = {}): Content {
  const path = `${ask.place.home}/keys/${key.id}`
  return {
    title: `Roll ${key.name}`,
    body: html`${head(`Roll ${key.name}`, { crumb: crumb(path, key.name) })}
      <div class="card form">
        ${problems(mistakes)}
        <p>
          You get a new key with the same rights. The old one, <code>${key.hint}</code>, keeps working for a while, so
          nothing breaks while you switch.
        </p>
        ${form(
          ask,
          `${path}/roll`,
          html`${idField(ask.fields, 'key')} ${overlapChoice('Keep the old key')}
            <div><button class="go">Roll key</button></div>`,
        )}
      </div>`,
  }
}

export function overlapChoice(label: string): Html {
  return select('overlap', label, overlaps, '24')
}

export function revokePage(ask: MemberAsk, key: KeySummary): Content {
  const path = `${ask.place.home}/keys/${key.id}`
  return {
    title: `Revoke ${key.name}`,
    body: html`${head(`Revoke ${key.name}?`, { crumb: crumb(path, key.name) })}
      <div class="card form">
        <p>
          <code>${key.hint}</code> is refused at once, on every server, and never works again. Anything still using it
          stops. To replace it without a gap, <a href="${path}/roll">roll it</a>.
        </p>
        <p class="quiet">Last used: ${lastUsed(key, shopTime(ask))}</p>
        ${form(ask, `${path}/revoke`, html`<div><button class="danger">Revoke key</button></div>`)}
      </div>`,
  }
}
