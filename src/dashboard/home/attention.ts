import { differingVersions, listProcesses } from '../../platform/database/watch/processes.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { listKeys, type KeySummary } from '../../core/merchants/list.ts'
import { listFailingReceivers } from '../../core/notifications/ipn/failing-receivers.ts'
import { listFailingTargets, reasonOf, withoutQuery } from '../../core/notifications/receivers/failing.ts'
import { listHeld } from '../../core/payments/attempts/hosted/held.ts'
import { listUnknownAttempts } from '../../core/payments/attempts/unknown-attempts.ts'
import { isUnderAttack } from '../../core/payments/card-testing/under-attack.ts'
import { hasRight, type Right } from '../people/rights.ts'
import type { MemberAsk } from '../ask.ts'
import { addressOf } from '../parts/lists.ts'
import { formatExactly, shopTime } from '../parts/parts.ts'
import { readParts, type DashboardPart, type Matter } from '../slots.ts'

// Problems that need attention, each with a link to the page that fixes it.

type Of = { readonly merchantId: number; readonly mode: 'test' | 'live' }

/** Counting stops here. */
const countedMax = 100

export async function readMatters(ask: MemberAsk, parts: readonly DashboardPart[]): Promise<Matter[]> {
  const { merchant, mode, role } = ask.place
  const of = { merchantId: merchant.id, mode }
  const may = (right: Right, read: (asked: MemberAsk, whose: Of) => Promise<Matter[]>): Promise<Matter[]> =>
    hasRight(role, right) ? read(ask, of) : Promise.resolve([])
  const found = await Promise.all([
    may('payments.view', heldCharges),
    readParts(parts, ({ matters }) => matters?.(ask)).then((all) => all.flat()),
    may('keys.view', exposedKeys),
    may('payments.view', attack),
    may('payments.view', unknownAttempts),
    may('notifications.view', failingReceivers),
    may('notifications.view', failingTargets),
    ask.own.person.isOperator ? mixedVersions(ask) : [],
  ])
  const all = [...suspended(ask), ...found.flat(), ...noPassword(ask)]
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone === 'warn')]
}

function suspended({ place: { merchant, home } }: MemberAsk): Matter[] {
  if (!merchant.isSuspended) return []
  return [
    {
      tone: 'bad',
      title: `${merchant.name} is suspended`,
      detail:
        'Keys are refused and customers can’t pay. Ask the operator of this Florin why, and to resume it.',
      to: `${home}/team`,
      action: 'Your team',
    },
  ]
}

async function heldCharges(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const charges = await listHeld(ask.core.db, of)
  const [first] = charges
  if (!first) return []
  return [
    {
      tone: 'bad',
      title:
        charges.length === 1
          ? '1 charge doesn’t match its payment'
          : `${counted(charges.length, 'charge')} don’t match their payments`,
      detail: `The network charged a different amount or currency, or charged twice. The first is ${first.tx_ref}. You decide what happens to the money.`,
      to: `${ask.place.home}/payments/${first.number}`,
      action: 'View payment',
    },
  ]
}

async function exposedKeys(ask: MemberAsk, { merchantId, mode }: Of): Promise<Matter[]> {
  const now = shopTime(ask)
  const keys = (await listKeys(ask.core.db, merchantId)).filter((key) => isExposed(key, mode, now))
  return keys.slice(0, 3).map((key) => ({
    tone: 'bad',
    title: `The key ${key.name} is exposed in a web form`,
    detail: `Anyone who opens that page can copy ${key.hint} and use it. Roll it, and use a form key in the page.`,
    to: `${ask.place.home}/keys/${key.id}`,
    action: 'Roll key',
  }))
}

type SeenKey = Pick<KeySummary, 'exposed_at' | 'revoked_at' | 'ends_at' | 'mode'>

/** Whether an exposed key still works in this mode. */
export function isExposed(key: SeenKey, mode: Of['mode'], now: Date): boolean {
  const isAlive = key.revoked_at === null && (key.ends_at === null || new Date(key.ends_at) > now)
  return key.exposed_at !== null && isAlive && (key.mode === null || key.mode === mode)
}

async function attack(ask: MemberAsk, of: Of): Promise<Matter[]> {
  if (!(await isUnderAttack(ask.core.db, { ...of, now: shopTime(ask) }))) return []
  return [
    {
      tone: 'warn',
      title: 'Someone is testing stolen cards on your checkout',
      detail:
        'Customers’ browsers must solve a small puzzle until it stops. Check recent payments before you ship.',
      to: `${ask.place.home}/payments`,
      action: 'View payments',
    },
  ]
}

async function unknownAttempts(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const attempts = await listUnknownAttempts(ask.core.db, { ...of, limit: countedMax })
  const [first] = attempts
  if (!first) return []
  return [
    {
      tone: 'warn',
      title: `The network hasn’t answered for ${counted(attempts.length, 'payment')}`,
      detail: `We don’t know yet whether ${first.tx_ref} was paid. Florin keeps asking; don’t send the customer a new link.`,
      to: `${ask.place.home}/payments/${first.number}`,
      action: 'View payment',
    },
  ]
}

async function failingReceivers(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const asked = { ...of, now: shopTime(ask), limit: 3 }
  const receivers = await listFailingReceivers(ask.core.db, asked)
  return receivers.map(({ origin, failingSince, pausedAt }) => ({
    tone: pausedAt === null ? 'warn' : 'bad',
    title:
      pausedAt === null ? `${origin} isn’t accepting notifications` : `Notifications to ${origin} are paused`,
    detail:
      pausedAt === null
        ? `Every attempt since ${formatExactly(new Date(failingSince ?? 0), shopTime(ask))} has failed. Florin keeps trying.`
        : `Paused since ${formatExactly(new Date(pausedAt), shopTime(ask))}. Fix the receiver, then resume it.`,
    to: addressOf(`${ask.place.home}/notifications/receiver`, { origin }),
    action: 'View receiver',
  }))
}

/** By URL: other URLs of the same host may work. Hosts that fail entirely are listed above. */
async function failingTargets(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const asked = { ...of, now: shopTime(ask), limit: 100 }
  const told = new Set((await listFailingReceivers(ask.core.db, asked)).map(({ origin }) => origin))
  const failing = (await listFailingTargets(ask.core.db, of.merchantId)).filter(
    ({ mode, origin }) => mode === of.mode && !told.has(origin),
  )
  return failing.slice(0, 3).map((one) => ({
    tone: 'warn',
    title: one.kind === 'mail' ? 'We can’t e-mail your customers' : `${withoutQuery(one.target)} is failing`,
    detail: `${counted(one.count, one.kind === 'mail' ? 'e-mail' : 'notification')} since ${formatExactly(new Date(one.since), shopTime(ask))}, last response: ${reasonOf(one)}. Florin keeps trying.`,
    to:
      one.kind === 'mail'
        ? `${ask.place.home}/mailbox`
        : addressOf(`${ask.place.home}/notifications/receiver`, { origin: one.origin }),
    action: one.kind === 'mail' ? 'View mailbox' : 'View receiver',
  }))
}

/** For operators: they started the upgrade, and finish it. */
async function mixedVersions({ core, dashboard }: MemberAsk): Promise<Matter[]> {
  const versions = differingVersions(await listProcesses(core.db))
  if (versions.length === 0) return []
  return [
    {
      tone: 'warn',
      title: 'Several versions of Florin are running',
      detail: `${versions.join(', ')}. To finish the upgrade, replace the older servers and workers.`,
      to: `${dashboard.prefix}/dashboard/installation/health`,
      action: 'View processes',
    },
  ]
}

function noPassword({ own, dashboard }: MemberAsk): Matter[] {
  if (own.person.hasPassword) return []
  return [
    {
      tone: 'warn',
      title: 'You have no password yet',
      detail: 'The link you used works only once. Set a password or passkey so you can sign in again.',
      to: `${dashboard.prefix}/dashboard/account`,
      action: 'Set a password',
    },
  ]
}

function counted(count: number, what: string): string {
  const many = count >= countedMax ? `${countedMax} or more` : String(count)
  return `${many} ${what}${count === 1 ? '' : 's'}`
}

export function drawMatters(matters: readonly Matter[]): Html | undefined {
  if (matters.length === 0) return undefined
  return html`<section class="part" aria-labelledby="attention">
    <h2 id="attention">Needs attention</h2>
    <ul class="matters">
      ${matters.map(
        ({ tone, title, detail, to, action }) => html`<li class="${tone}">
          <span class="sign" aria-hidden="true">${tone === 'bad' ? '×' : '!'}</span>
          <div class="what"><b>${title}</b><span class="quiet">${detail}</span></div>
          <a class="button plain" href="${to}" aria-label="${action}: ${title}">${action}</a>
        </li>`,
      )}
    </ul>
  </section>`
}
