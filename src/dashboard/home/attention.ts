import { disputesToAnswer, losingUnderReview } from '../../disputes/list-disputes.ts'
import { html, type Html } from '../../http/html.ts'
import { listKeys, type KeySummary } from '../../merchants/list.ts'
import { displayAmount } from '../../money/money.ts'
import { listFailingReceivers } from '../../notifications/ipn/failing-receivers.ts'
import { listFailingTargets, reasonOf, withoutQuery } from '../../notifications/receivers/failing.ts'
import { listHeld } from '../../payments/attempts/hosted/held.ts'
import { listUnknownAttempts } from '../../payments/attempts/unknown/list-unknown.ts'
import { isUnderAttack } from '../../payments/card-testing/under-attack.ts'
import { sayLoss } from '../../payments/disputed/loss.ts'
import { hasRight, type Right } from '../../people/rights.ts'
import type { MemberAsk } from '../ask.ts'
import { addressOf } from '../parts/lists.ts'
import { sayExactly } from '../parts/parts.ts'

// What somebody has to look at. Each line is the word of the room that knows it, and links to the page that fixes it.

export type Matter = {
  readonly tone: 'bad' | 'warn'
  readonly title: string
  readonly detail: string
  readonly to: string
  readonly action: string
}

type Of = { readonly merchantId: number; readonly mode: 'test' | 'live' }

/** More than these are not counted. */
const countedMax = 100

export async function readMatters(ask: MemberAsk): Promise<Matter[]> {
  const { merchant, mode, role } = ask.place
  const of = { merchantId: merchant.id, mode }
  const may = (right: Right, read: (asked: MemberAsk, whose: Of) => Promise<Matter[]>): Promise<Matter[]> =>
    hasRight(role, right) ? read(ask, of) : Promise.resolve([])
  const found = await Promise.all([
    may('payments.view', heldCharges),
    may('payments.view', dueDisputes),
    may('payments.view', losingDisputes),
    may('keys.view', exposedKeys),
    may('payments.view', attack),
    may('payments.view', unknownAttempts),
    may('notifications.view', failingReceivers),
    may('notifications.view', failingTargets),
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
      detail: 'Keys are refused and nobody can pay. Whoever runs this Florin can say why, and resume it.',
      to: `${home}/team`,
      action: 'Your team',
    },
  ]
}

async function heldCharges(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const charges = await listHeld(ask.people.db, of)
  const [first] = charges
  if (!first) return []
  return [
    {
      tone: 'bad',
      title:
        charges.length === 1
          ? 'A charge differs from what was owed'
          : `${counted(charges.length, 'charge')} differ from what was owed`,
      detail: `A network took another amount or currency, or keeps what nobody owed: first for ${first.tx_ref}. A person has to decide.`,
      to: `${ask.place.home}/payments/${first.number}`,
      action: 'Look at it',
    },
  ]
}

async function dueDisputes(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const disputes = await disputesToAnswer(ask.people.db, of, 3)
  return disputes.map(({ id, evidence_due_at: due, amount_minor, currency, tx_ref, loss }) => ({
    tone: 'warn',
    title: `${displayAmount(amount_minor, currency, 'en-GB')} disputed: ${tx_ref}`,
    detail: [
      sayLoss(loss),
      due === null ? 'The bank waits for your evidence.' : `Evidence is due by ${sayExactly(new Date(due))}.`,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    to: `${ask.place.home}/disputes/${id}`,
    action: 'Answer it',
  }))
}

async function losingDisputes(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const disputes = await losingUnderReview(ask.people.db, of)
  return disputes.slice(0, 3).map(({ id, tx_ref, loss }) => ({
    tone: 'warn',
    title: `Refunded and disputed: ${tx_ref}`,
    detail: `${sayLoss(loss)} The bank has your evidence and decides.`,
    to: `${ask.place.home}/disputes/${id}`,
    action: 'See the dispute',
  }))
}

async function exposedKeys(ask: MemberAsk, { merchantId, mode }: Of): Promise<Matter[]> {
  const now = ask.people.now()
  const keys = (await listKeys(ask.people.db, merchantId)).filter((key) => isExposed(key, mode, now))
  return keys.slice(0, 3).map((key) => ({
    tone: 'bad',
    title: `The key ${key.name} stands in a web form`,
    detail: `Whoever opens that page can read ${key.hint} and use it. Roll it, and put a form key into the page.`,
    to: `${ask.place.home}/keys/${key.id}`,
    action: 'Roll the key',
  }))
}

type SeenKey = Pick<KeySummary, 'exposed_at' | 'revoked_at' | 'ends_at' | 'mode'>

/** Whether a key that others have seen can still be used, in this mode. */
export function isExposed(key: SeenKey, mode: Of['mode'], now: Date): boolean {
  const isAlive = key.revoked_at === null && (key.ends_at === null || new Date(key.ends_at) > now)
  return key.exposed_at !== null && isAlive && (key.mode === null || key.mode === mode)
}

async function attack(ask: MemberAsk, of: Of): Promise<Matter[]> {
  if (!(await isUnderAttack(ask.people.db, { ...of, now: ask.people.now() }))) return []
  return [
    {
      tone: 'warn',
      title: 'Somebody tries stolen cards on your pages',
      detail:
        'Customers have to bring a small proof of work until it is over. Look for payments that you would not send.',
      to: `${ask.place.home}/payments`,
      action: 'See payments',
    },
  ]
}

async function unknownAttempts(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const attempts = await listUnknownAttempts(ask.people.db, { ...of, limit: countedMax })
  const [first] = attempts
  if (!first) return []
  return [
    {
      tone: 'warn',
      title: `${counted(attempts.length, 'payment')} without an answer of the network`,
      detail: `Nobody knows yet whether it was paid, first ${first.tx_ref}. We ask until it is known; do not send a new link.`,
      to: `${ask.place.home}/payments/${first.number}`,
      action: 'Look at it',
    },
  ]
}

async function failingReceivers(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const asked = { ...of, now: ask.people.now(), limit: 3 }
  const receivers = await listFailingReceivers(ask.people.db, asked)
  return receivers.map(({ origin, failingSince, pausedAt }) => ({
    tone: pausedAt === null ? 'warn' : 'bad',
    title: pausedAt === null ? `${origin} takes no notifications` : `Notifications to ${origin} are paused`,
    detail:
      pausedAt === null
        ? `Every try has failed since ${sayExactly(new Date(failingSince ?? 0))}. We go on trying.`
        : `They wait since ${sayExactly(new Date(pausedAt))}. Mend the receiver, then resume it.`,
    to: addressOf(`${ask.place.home}/notifications/receiver`, { origin }),
    action: 'See the receiver',
  }))
}

/** By URL: another address of the same host may work. Receivers that fail as a whole are told above. */
async function failingTargets(ask: MemberAsk, of: Of): Promise<Matter[]> {
  const asked = { ...of, now: ask.people.now(), limit: 100 }
  const told = new Set((await listFailingReceivers(ask.people.db, asked)).map(({ origin }) => origin))
  const failing = (await listFailingTargets(ask.people.db, of.merchantId)).filter(
    ({ mode, origin }) => mode === of.mode && !told.has(origin),
  )
  return failing.slice(0, 3).map((one) => ({
    tone: 'warn',
    title: one.kind === 'mail' ? "Mail to your customers can't be sent" : `${withoutQuery(one.target)} fails`,
    detail: `${counted(one.count, one.kind === 'mail' ? 'mail' : 'notification')} since ${sayExactly(new Date(one.since))}, last answer: ${reasonOf(one)}. We go on trying.`,
    to:
      one.kind === 'mail'
        ? `${ask.place.home}/mailbox`
        : addressOf(`${ask.place.home}/notifications/receiver`, { origin: one.origin }),
    action: one.kind === 'mail' ? 'See the mailbox' : 'See the receiver',
  }))
}

function noPassword({ own, dashboard }: MemberAsk): Matter[] {
  if (own.person.hasPassword) return []
  return [
    {
      tone: 'warn',
      title: 'You have no password yet',
      detail: 'You came by a link that works once. With a password or a passkey you can come back.',
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
