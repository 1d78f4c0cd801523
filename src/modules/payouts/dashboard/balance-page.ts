import { html, type Html } from '../../../platform/http/html.ts'
import type { Balance } from '../read-balance.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import { emptyList, table } from '../../../dashboard/parts/lists.ts'
import { head, formatExactly, shopTime } from '../../../dashboard/parts/parts.ts'
import { money } from './describe-payout.ts'

// What each network still owes, per currency.

export function balancePage(ask: MemberAsk, balances: readonly Balance[]): Content {
  const { home, mode } = ask.place
  return {
    title: 'Balance',
    body: html`${head('Balance', {
      lead: 'What your networks hold for you, and what is on its way to your bank.',
      action: html`<a class="button plain" href="${home}/payouts">Payouts</a>`,
    })}
      ${balances.filter(({ differenceMinor }) => differenceMinor !== 0n).map((one) => mismatch(ask, one))}
      ${
        balances.length === 0
          ? emptyList(
              'Nothing booked yet',
              mode === 'test'
                ? 'Open Payouts and press “Pay out now” after your first test payment.'
                : 'Your balance appears within an hour of your first live payment.',
            )
          : list(ask, balances)
      }`,
  }
}

function list(ask: MemberAsk, balances: readonly Balance[]): Html {
  const figure = (label: string, of: (balance: Balance) => bigint) => ({
    label,
    isFigure: true as const,
    draw: (balance: Balance) => money(of(balance), balance.currency),
  })
  return table<Balance>({
    label: 'Balances',
    rows: balances,
    columns: [
      {
        label: 'Network',
        draw: ({ connector, currency }) => html`<b>${networkName(ask, connector)}, ${currency}</b>`,
      },
      figure('Available', ({ availableMinor, refusedMinor }) => availableMinor - refusedMinor),
      figure('Pending', ({ pendingMinor }) => pendingMinor),
      figure('Refused by your bank', ({ refusedMinor }) => refusedMinor),
      figure('On its way', ({ onItsWayMinor }) => onItsWayMinor),
      figure('Arrived so far', ({ arrivedMinor }) => arrivedMinor),
      {
        label: 'Compared with the network',
        draw: ({ comparedAt }) =>
          comparedAt === null ? 'Not possible' : formatExactly(new Date(comparedAt), shopTime(ask)),
      },
    ],
  })
}

function mismatch(ask: MemberAsk, { connector, currency, differenceMinor }: Balance): Html {
  const more = differenceMinor > 0n
  return html`<div class="problem">
    <h2>${networkName(ask, connector)} reports another balance</h2>
    <p>
      It holds ${money(more ? differenceMinor : -differenceMinor, currency)} ${more ? 'more' : 'less'} than the bookings that
      Florin copied from it. Compare the last days in the dashboard of the network.
    </p>
  </div>`
}
