import { html, type Html } from '../../../platform/http/html.ts'
import type { Balance } from '../read-balance.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { facts, section } from '../../../dashboard/parts/things.ts'
import { money } from './describe-payout.ts'

/** What comes to the bank next, per currency. Nothing while networks owe nothing. */
export function drawNextMoney(ask: MemberAsk, balances: readonly Balance[]): Html | undefined {
  const owed = [...Map.groupBy(balances, ({ currency }) => currency)].flatMap(([currency, all]) => {
    const onItsWay = all.reduce((sum, { onItsWayMinor }) => sum + onItsWayMinor, 0n)
    const held = all.reduce((sum, one) => sum + one.availableMinor + one.pendingMinor - one.refusedMinor, 0n)
    return onItsWay === 0n && held === 0n ? [] : [{ currency, onItsWay, held }]
  })
  if (owed.length === 0) return undefined
  return section(
    'Coming to your bank',
    facts(
      owed.flatMap(({ currency, onItsWay, held }) => [
        [`On its way (${currency})`, money(onItsWay, currency)] as const,
        [`With your networks (${currency})`, money(held, currency)] as const,
      ]),
    ),
    html`<a class="button plain" href="${ask.place.home}/balance">Balance</a>`,
  )
}
