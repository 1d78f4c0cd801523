import { html, type Html } from '../../../platform/http/html.ts'
import type { Payout } from '../find-payouts.ts'
import { payoutStates, type PayoutState } from '../state-machine.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import { addressOf, emptyList, pager, table } from '../../../dashboard/parts/lists.ts'
import { head, press, shopTime, timeAgo } from '../../../dashboard/parts/parts.ts'
import { tabs } from '../../../dashboard/parts/things.ts'
import { money, payoutPill, formatDay, describeState } from './describe-payout.ts'

type Model = {
  readonly payouts: readonly Payout[]
  readonly status: PayoutState | ''
  readonly nextCursor: string | null
  readonly isFirst: boolean
  readonly mayAsk: boolean
}

export function payoutsPage(
  ask: MemberAsk,
  { payouts, status, nextCursor, isFirst, mayAsk }: Model,
): Content {
  const { home, mode } = ask.place
  const path = `${home}/payouts`
  const label = mode === 'test' ? 'Pay out now' : 'Check now'
  return {
    title: 'Payouts',
    body: html`${head('Payouts', {
      lead: 'Transfers from your networks to your bank, with every booking in them.',
      action: html`<div class="actions">
        <a class="button plain" href="${home}/bookkeeping">Export</a>
        ${mayAsk && press(ask, `${path}/do/check`, label)}
      </div>`,
    })}
      ${tabs('Payouts by state', [
        { label: 'All', to: path, isHere: status === '' },
        ...payoutStates.map((one) => ({
          label: describeState(one),
          to: addressOf(path, { status: one }),
          isHere: one === status,
        })),
      ])}
      ${payouts.length === 0 ? nothing(mode, status) : list(ask, payouts)}
      ${pager(
        isFirst ? undefined : addressOf(path, { status: status || undefined }),
        nextCursor === null
          ? undefined
          : addressOf(path, { status: status || undefined, cursor: nextCursor }),
      )}`,
  }
}

function list(ask: MemberAsk, payouts: readonly Payout[]): Html {
  return table<Payout>({
    label: 'Payouts',
    rows: payouts,
    to: ({ id }) => `${ask.place.home}/payouts/${id}`,
    columns: [
      {
        label: 'Amount',
        isFigure: true,
        draw: ({ amount_minor, currency }) => money(amount_minor, currency),
      },
      { label: 'State', draw: ({ state }) => payoutPill(state) },
      { label: 'Network', draw: ({ connector }) => networkName(ask, connector) },
      { label: 'Arrives', draw: ({ arrives_on: day }) => (day === null ? '' : formatDay(day)) },
      { label: 'Bank reference', draw: ({ bank_reference: name }) => name ?? '' },
      { label: 'Made', draw: ({ made_at }) => timeAgo(new Date(made_at), shopTime(ask)) },
    ],
  })
}

function nothing(mode: string, status: string): Html {
  if (status !== '') return emptyList('No payouts', 'No payout is in this state.')
  return mode === 'test'
    ? emptyList(
        'No payouts yet',
        'The test network pays out every night (UTC). Press “Pay out now” to see one after your first test payment.',
      )
    : emptyList(
        'No payouts yet',
        'When your network sends money to your bank, the transfer appears here with the payments in it.',
      )
}
