import type { HostedOrder, HostedPage } from '../../core/networks/hosted.ts'
import { toPayPal } from './amounts.ts'
import type { Amount } from './resources.ts'

// The items, line by line. PayPal takes no negative line: discounts are separate, and everything must add up.

export type Items = {
  readonly items?: readonly {
    readonly name: string
    readonly quantity: string
    readonly unit_amount: Amount
  }[]
  readonly breakdown?: { readonly item_total: Amount; readonly discount?: Amount }
}

const nameLength = 127
const linesMax = 100

/** Empty where PayPal can't show them one by one: then the description alone says what is paid. */
export function itemsOf({ currency, amountMinor }: HostedOrder, { items = [] }: HostedPage): Items {
  const bought = items.filter(({ unitMinor }) => unitMinor >= 0n)
  const total = sumOf(bought)
  const discount = -sumOf(items.filter(({ unitMinor }) => unitMinor < 0n))
  const money = (minor: bigint): Amount | undefined => {
    const value = toPayPal(minor, currency)
    return value === undefined ? undefined : { currency_code: currency, value }
  }
  const lines = bought.flatMap(({ name, quantity, unitMinor }) => {
    const unit_amount = money(unitMinor)
    const line = { name: name.slice(0, nameLength), quantity: String(quantity) }
    return unit_amount ? [{ ...line, unit_amount }] : []
  })
  const [item_total, less] = [money(total), money(discount)]
  const isWhole = lines.length === bought.length && lines.length > 0 && lines.length <= linesMax
  if (!isWhole || !item_total || !less || total - discount !== amountMinor) return {}
  return { items: lines, breakdown: { item_total, ...(discount > 0n && { discount: less }) } }
}

function sumOf(items: NonNullable<HostedPage['items']>): bigint {
  return items.reduce((sum, { quantity, unitMinor }) => sum + BigInt(quantity) * unitMinor, 0n)
}
