import { countMax, type Count } from '../../core/payments/support/search-payments.ts'

export function formatCount({ count, isExact }: Count): string {
  if (isExact) return count.toLocaleString('en-GB')
  if (count <= countMax) return `more than ${countMax.toLocaleString('en-GB')}`
  const step = 10 ** (String(Math.round(count)).length - 2)
  return `about ${(Math.round(count / step) * step).toLocaleString('en-GB')}`
}
