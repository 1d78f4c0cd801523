import { html, type Html } from '../../../platform/http/html.ts'
import { readStylesheet } from '../../../platform/http/page.ts'
import type { EntryRow } from '../bank/match-statement.ts'
import type { NamedLine, Payout, PayoutHistoryRow } from '../find-payouts.ts'
import { isRefused } from '../refused-payouts.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import { addressOf, pager, shortened, table } from '../../../dashboard/parts/lists.ts'
import { crumb, head, press, formatExactly, shopTime } from '../../../dashboard/parts/parts.ts'
import { copyable, facts, section, timeline, type Happening } from '../../../dashboard/parts/things.ts'
import { describeFailure } from '../describe-failure.ts'
import { describeHistory, formatDay, money, payoutPill } from './describe-payout.ts'

// One payout: what the bank shows, what it is made of, and every booking in it.

const styles = [readStylesheet(new URL('./payouts.css', import.meta.url))]

type Model = {
  readonly payout: Payout
  readonly history: readonly PayoutHistoryRow[]
  readonly atBank: readonly EntryRow[]
  readonly lines: readonly NamedLine[]
  readonly nextCursor: string | null
  readonly isFirst: boolean
  readonly mayExport: boolean
  readonly mayDealWith: boolean
}

export function payoutPage(ask: MemberAsk, model: Model): Content {
  const { payout, history } = model
  const path = `${ask.place.home}/payouts/${payout.id}`
  const { currency } = payout
  return {
    title: 'Payout',
    styles,
    body: html`${head('Payout', {
      crumb: crumb(`${ask.place.home}/payouts`, 'Payouts'),
      ...(model.mayExport &&
        payout.lines === 'copied' && { action: press(ask, `${path}/do/export`, 'Download lines (CSV)') }),
    })}
      ${payoutNotice(ask, model, path)}
      <div class="card payout">
        <p class="sum">${money(payout.amount_minor, currency)} ${payoutPill(payout.state)}</p>
        ${
          payout.bank_reference !== null &&
          html`<p class="quiet">On your bank statement</p>
            ${copyable(payout.bank_reference, 'Reference on your bank statement')}`
        }
      </div>
      ${facts([
        [
          'Payments and other bookings',
          payout.lines === 'copied' ? money(payout.gross_minor, currency) : undefined,
        ],
        ['Fees', payout.lines === 'copied' ? money(-payout.fee_minor, currency) : undefined],
        ['Tax on fees', payout.tax_minor === 0n ? undefined : money(-payout.tax_minor, currency)],
        [arrivalLabel[payout.state], payout.arrives_on === null ? undefined : formatDay(payout.arrives_on)],
        ['At your bank', describeAtBank(model.atBank)],
        ['Network', networkName(ask, payout.connector)],
        ['At the network', html`<code>${payout.reference}</code>`],
        ['Made', formatExactly(new Date(payout.made_at), shopTime(ask))],
      ])}
      ${section('Bookings in this payout', drawLines(ask, model, path))}
      ${section('What happened', timeline(happenings(ask, payout, history), shopTime(ask)))}`,
  }
}

/** The day is the network's own: it doesn't change when the bank refuses the money. */
const arrivalLabel = {
  announced: 'Arrives',
  on_its_way: 'Arrives',
  arrived: 'Arrived',
  failed: 'Was to arrive',
  returned: 'Arrived',
} as const

/** What bank statements had of it; nothing while none was matched. */
function describeAtBank(entries: readonly EntryRow[]): string | undefined {
  const said = entries.map(
    ({ booked_on, matched_by }) =>
      `${matched_by === 'return' ? 'Sent back' : 'Seen'} on ${formatDay(booked_on)}`,
  )
  return said.length === 0 ? undefined : said.join(', ')
}

function happenings(ask: MemberAsk, payout: Payout, history: readonly PayoutHistoryRow[]): Happening[] {
  const happened = describeHistory(networkName(ask, payout.connector), history).map(
    ([title, row]): Happening => ({
      at: new Date(row.at),
      title,
      detail: isRefused(row) ? describeFailure(row) : undefined,
      ...(isRefused(row) && { tone: 'bad' as const }),
      ...(row.state === 'arrived' && { tone: 'good' as const }),
    }),
  )
  const dealtWith = payout.dealt_with_at
  return [
    ...happened,
    ...(dealtWith === null
      ? []
      : [{ at: new Date(dealtWith), title: 'Marked as dealt with', detail: undefined }]),
  ].toReversed()
}

function payoutNotice(ask: MemberAsk, { payout, mayDealWith }: Model, path: string): Html | undefined {
  const { state, difference_minor: difference, currency, connector } = payout
  if (isRefused(payout) && payout.dealt_with_at === null)
    return html`<div class="problem">
      <h2>${state === 'returned' ? 'Your bank sent this payout back' : 'Your bank didn’t get this payout'}</h2>
      <p>${describeFailure(payout)} The money is with ${networkName(ask, connector)}.</p>
      <p><strong>What to do:</strong> Check your bank account in the dashboard of your network. Once that is done, mark the payout as dealt with.</p>
      ${mayDealWith && press(ask, `${path}/do/deal-with`, 'Mark as dealt with')}
    </div>`
  if (difference === 0n) return undefined
  return html`<div class="problem">
    <h2>The bookings don’t add up</h2>
    <p>
      They differ from the amount by ${money(difference, currency)}, which is a line of its own below. Ask your network which
      booking is missing.
    </p>
  </div>`
}

function drawLines(ask: MemberAsk, { payout, lines, nextCursor, isFirst }: Model, path: string): Html {
  if (payout.lines === 'waiting')
    return html`<p class="quiet">The network is still working on the list. It appears here by itself.</p>`
  if (payout.lines === 'untold')
    return html`<p class="quiet">The network keeps no list for this payout, because somebody asked for it by hand.</p>`
  return html`${table<NamedLine>({
    label: 'Bookings',
    rows: lines,
    columns: [
      { label: 'Booked', draw: ({ booked_at }) => formatExactly(new Date(booked_at), shopTime(ask)) },
      { label: 'Kind', draw: (line) => kindOf(line) },
      { label: 'Order', draw: (line) => orderOf(ask, line) },
      { label: 'Amount', isFigure: true, draw: (line) => money(line.gross_minor, line.currency) },
      {
        label: 'Fee and tax',
        isFigure: true,
        draw: (line) => money(line.fee_minor + line.tax_minor, line.currency),
      },
      { label: 'Net', isFigure: true, draw: (line) => money(line.net_minor, line.currency) },
    ],
  })}
  ${pager(isFirst ? undefined : path, nextCursor === null ? undefined : addressOf(path, { cursor: nextCursor }))}`
}

const kinds: Readonly<Record<NamedLine['kind'], string>> = {
  payment: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  fee: 'Fee',
  adjustment: 'Adjustment',
  difference: 'Difference',
}

function kindOf({ kind, type }: NamedLine): Html | string {
  return kind === 'adjustment' || kind === 'fee'
    ? html`${kinds[kind]} <span class="quiet">(${type.replaceAll('_', ' ')})</span>`
    : kinds[kind]
}

function orderOf(ask: MemberAsk, { txRef, number }: NamedLine): Html | string {
  return txRef === null || number === null
    ? ''
    : html`<a href="${ask.place.home}/payments/${number}">${shortened(txRef)}</a>`
}
