import { displayAmount } from '../../../platform/money/money.ts'
import type { NotReported } from '../../../core/payments/daily-totals/not-reported.ts'

/** `36 payments, £1,531.00, fees not reported by Stripe yet` */
export function describeNotReported(
  { payments, amountMinor, currency, networks, isWhole }: NotReported,
  nameOf: (network: string) => string,
): string {
  const count = `${payments.toLocaleString('en-GB')} payment${payments === 1 ? '' : 's'}`
  const names =
    networks.length === 0 ? 'the network' : new Intl.ListFormat('en-GB').format(networks.map(nameOf))
  return `${isWhole ? '' : 'At least '}${count}, ${displayAmount(amountMinor, currency, 'en-GB')}, fees not reported by ${names} yet`
}
