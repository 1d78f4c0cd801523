import { renderSVG } from 'uqr'
import { html, trusted, type Html } from '../../../platform/http/html.ts'
import { readStylesheet } from '../../../platform/http/page.ts'
import { linkUrl } from '../address.ts'
import type { LinkPayments, LinkRow } from '../find-links.ts'
import { linkState, type LinkState } from '../link-state.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { PaymentRow } from '../../../core/payments/find-payment.ts'
import { checkoutUrl } from '../../../core/payments/present.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { codeStyles, codeToCopy } from '../../../dashboard/parts/code.ts'
import {
  addressOf,
  amount,
  pager,
  pill,
  statePill,
  table,
  type Tone,
} from '../../../dashboard/parts/lists.ts'
import { crumb, head, press, timeAgo, shopTime } from '../../../dashboard/parts/parts.ts'
import { copyable, facts, section } from '../../../dashboard/parts/things.ts'
import { buttonHtml } from './button.ts'

// One payment link, its payments and its poster. The list is in list-page.ts.

export const styles = [readStylesheet(new URL('./links.css', import.meta.url))]

export const linksOf = ({ place }: MemberAsk): string => `${place.home}/links`
export const linkAt = (ask: MemberAsk, id: string): string => `${linksOf(ask)}/${id}`

const states: Readonly<Record<LinkState, readonly [word: string, tone: Tone]>> = {
  open: ['open', 'good'],
  paused: ['paused', 'warn'],
  ended: ['ended', 'calm'],
  all_taken: ['being paid', 'calm'],
  sold_out: ['sold out', 'calm'],
}

export function stateOf(link: LinkRow, now: Date): Html {
  const [word, tone] = states[linkState(link, now)]
  if (link.kind === 'single' && link.paid > 0) return pill('paid', 'good')
  return pill(link.kind === 'single' && word === 'being paid' ? 'awaiting payment' : word, tone)
}

export function paidOf({ paid, stock }: LinkRow): Html {
  const count = paid.toLocaleString('en-GB')
  return html`<span class="figures">${stock === null ? count : `${count} of ${stock.toLocaleString('en-GB')}`}</span>`
}

/** The amount, or its limits. */
export function askedAmount({ amount_minor, least_minor, most_minor, currency }: LinkRow): string {
  const format = (minor: bigint): string => displayAmount(minor, currency, 'en-GB')
  if (amount_minor !== null) return format(amount_minor)
  if (least_minor !== null && most_minor !== null) return `${format(least_minor)} to ${format(most_minor)}`
  if (least_minor !== null) return `from ${format(least_minor)}`
  return most_minor === null ? `any, ${currency}` : `up to ${format(most_minor)}`
}

/** The URL to share. For a named customer it is the payment itself. */
function sharedUrl(ask: MemberAsk, link: LinkRow, payments: readonly PaymentRow[]): string | undefined {
  const { baseUrl } = ask.dashboard
  if (link.asks_customer) return linkUrl(link, baseUrl)
  const [payment] = payments
  return payment && checkoutUrl(payment, baseUrl)
}

export function linkPage(ask: MemberAsk, link: LinkRow, given: LinkPayments): Content {
  const url = sharedUrl(ask, link, given.payments)
  return {
    title: link.title,
    styles: [...styles, codeStyles],
    body: html`${head(link.title, { crumb: crumb(linksOf(ask), 'Links'), ...actions(ask, link) })}
    <div class="link-top">
      <div class="stack">
        ${url !== undefined && section('Share this link', copyable(url, 'Payment link'))} ${details(ask, link)}
      </div>
      ${
        url !== undefined &&
        html`<div class="link-code">
          <div class="qr" role="img" aria-label="QR code that opens the link">${codeOf(url)}</div>
          <a class="button plain" href="${linkAt(ask, link.id)}/print">Print</a>
        </div>`
      }
    </div>
    ${link.kind === 'reusable' && section('Button for your site', button(ask, link))}
    ${section('Payments', paymentsOf(ask, link, given))}`,
  }
}

function button({ dashboard, place }: MemberAsk, link: LinkRow): Html {
  const { brand } = place.merchant
  const sites = brand.embedHosts.join(', ')
  const settings = html`<a href="${place.home}/settings/payments">Sites that can embed the checkout</a>`
  return html`<p>Paste this where the button should be, on any page. The text and the look are yours to change.</p>
    ${codeToCopy('button-html', 'HTML of the button', buttonHtml(link, brand.colour, dashboard.baseUrl))}
    <p class="quiet small">
      ${
        sites === ''
          ? html`The button leads to the payment page. To open it over your own page, add your site to ${settings}.`
          : html`Opens over the page on ${sites}. Anywhere else it leads to the payment page. Change this in ${settings}.`
      }
    </p>`
}

function actions(ask: MemberAsk, link: LinkRow): { action?: Html } {
  if (!hasRight(ask.place.role, 'links.change') || !link.asks_customer) return {}
  const path = linkAt(ask, link.id)
  const action = html`<div class="actions">
    <a class="button plain" href="${path}/edit">Edit</a>
    ${
      link.paused_at === null
        ? press(ask, `${path}/do/pause`, 'Pause')
        : press(ask, `${path}/do/resume`, 'Resume', {}, 'go')
    }
  </div>`
  return { action }
}

function details(ask: MemberAsk, link: LinkRow): Html {
  const now = shopTime(ask)
  const { timeZone } = ask.place.merchant.brand
  const day = (instant: number): string =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(instant)
  return facts([
    ['State', stateOf(link, now)],
    ['Received', html`<strong>${amount(link.paid_minor, link.currency)}</strong>`],
    ['Paid', paidOf(link)],
    ['Being paid', link.taken === link.paid ? undefined : (link.taken - link.paid).toLocaleString('en-GB')],
    ['Amount', askedAmount(link)],
    ['Description', link.description ?? undefined],
    [
      'Who pays',
      link.kind === 'reusable'
        ? 'Anyone with the link'
        : link.asks_customer
          ? 'One customer, who enters their name'
          : 'One customer you named',
    ],
    ['Open until', link.ends_at === null ? undefined : day(Date.parse(link.ends_at) - 1)],
    ['Created', timeAgo(new Date(link.created_at), now)],
    ['Id', html`<code>${link.id}</code>`],
  ])
}

function paymentsOf(ask: MemberAsk, link: LinkRow, { payments, nextCursor }: LinkPayments): Html {
  const path = linkAt(ask, link.id)
  const isFirst = ask.query['cursor'] === undefined
  const now = shopTime(ask)
  if (payments.length === 0)
    return html`<div class="card"><p class="quiet">No one has used this link yet.</p></div>`
  return html`${table<PaymentRow>({
    label: 'Payments with this link',
    rows: payments,
    to: ({ number }) => `${ask.place.home}/payments/${number}`,
    columns: [
      {
        label: 'Amount',
        isFigure: true,
        draw: ({ amount_minor, currency }) => amount(amount_minor, currency),
      },
      { label: 'Customer', draw: (payment) => `${payment.first_name} ${payment.last_name}`.trim() },
      { label: 'E-mail', draw: ({ email }) => email },
      { label: 'State', draw: ({ state }) => statePill(state) },
      { label: 'Started', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
    ],
  })}
  ${pager(isFirst ? undefined : path, nextCursor === undefined ? undefined : addressOf(path, { cursor: nextCursor }))}`
}

function codeOf(url: string): Html {
  return trusted(renderSVG(url, { ecc: 'M', border: 1 }))
}

/** A poster: shop, title, amount and QR code. */
export function printPage(ask: MemberAsk, link: LinkRow, payments: readonly PaymentRow[]): Content {
  const url = sharedUrl(ask, link, payments) ?? linkUrl(link, ask.dashboard.baseUrl)
  const { merchant, mode } = ask.place
  return {
    title: `Print: ${link.title}`,
    isNarrow: true,
    styles,
    body: html`<div class="no-print">
        ${crumb(linkAt(ask, link.id), link.title)}
        <p class="quiet">Print this page from your browser. Only the poster below is printed.</p>
        <p><button type="button" class="go" data-print hidden>Print</button></p>
      </div>
      <article class="poster">
        ${mode === 'test' && html`<p class="test-note">Test mode: no money moves.</p>`}
        ${merchant.brand.logoId !== undefined && html`<img class="poster-logo" src="${ask.dashboard.prefix}/logo/${merchant.id}/${merchant.brand.logoId}" alt="" />`}
        <p class="shop-name">${merchant.name}</p>
        <h1>${link.title}</h1>
        ${link.description !== null && html`<p>${link.description}</p>`}
        ${link.amount_minor !== null && html`<p class="poster-amount figures">${displayAmount(link.amount_minor, link.currency, 'en-GB')}</p>`}
        <div class="qr" role="img" aria-label="QR code that opens the link">${codeOf(url)}</div>
        <p class="address">${url}</p>
      </article>`,
  }
}
