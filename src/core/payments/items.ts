// The items of a payment. Prices include tax; the lines add up to the amount, to the smallest unit.

export type Item = {
  readonly name: string
  readonly quantity: number
  /** Below zero for a discount. */
  readonly unitMinor: bigint
  /** Percent, such as `20` or `5.5`; undefined where the merchant said nothing. */
  readonly taxRate: string | undefined
  /** The tax's name, such as `VAT`; undefined: as in the shop's country. */
  readonly taxName?: string | undefined
}

export type TaxLine = {
  /** As the merchant calls it; undefined: as in the shop's country. */
  readonly name: string | undefined
  /** Percent. */
  readonly rate: string
  /** The tax included in it. */
  readonly taxMinor: bigint
}

type StoredItem = { name: string; quantity: number; unit_minor: string; tax_rate?: string; tax_name?: string }

export function totalOf(item: Pick<Item, 'quantity' | 'unitMinor'>): bigint {
  return BigInt(item.quantity) * item.unitMinor
}

/** The column's text. Amounts are text in it: json numbers are doubles to most readers. */
export function writeItems(items: readonly Item[]): string {
  const stored = items.map(({ name, quantity, unitMinor, taxRate, taxName }): StoredItem => ({
    name,
    quantity,
    unit_minor: String(unitMinor),
    ...(taxRate !== undefined && { tax_rate: taxRate }),
    ...(taxName !== undefined && { tax_name: taxName }),
  }))
  return JSON.stringify(stored)
}

export function itemsOf({ items }: { readonly items: string | null }): readonly Item[] {
  if (items === null) return []
  return (JSON.parse(items) as StoredItem[]).map(({ name, quantity, unit_minor, tax_rate, tax_name }) => ({
    name,
    quantity,
    unitMinor: BigInt(unit_minor),
    taxRate: tax_rate,
    taxName: tax_name,
  }))
}

/**
 * The tax included in the items, by rate and name, the highest rate first. Counted once on the total of a rate and
 * rounded half up, as on an invoice: line by line the pennies would not add up. Where no tax is due there is no line.
 */
export function taxLines(items: readonly Item[]): TaxLine[] {
  const totals = new Map<string, { rate: string; name: string | undefined; total: bigint }>()
  for (const item of items) {
    if (item.taxRate === undefined) continue
    const key = `${item.taxRate} ${item.taxName ?? ''}`
    const before = totals.get(key)?.total ?? 0n
    totals.set(key, { rate: item.taxRate, name: item.taxName, total: before + totalOf(item) })
  }
  return [...totals.values()]
    .toSorted((a, b) => Number(hundredths(b.rate) - hundredths(a.rate)))
    .map(({ rate, name, total }) => ({ rate, name, taxMinor: taxIn(total, hundredths(rate)) }))
    .filter(({ taxMinor }) => taxMinor !== 0n)
}

/** `5.5` is 550. */
function hundredths(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  return BigInt(whole + fraction.padEnd(2, '0'))
}

function taxIn(total: bigint, rate: bigint): bigint {
  const size = total < 0n ? -total : total // No test: minus zero is zero
  const whole = 10_000n + rate
  const tax = (2n * size * rate + whole) / (2n * whole)
  return total < 0n ? -tax : tax // No test: minus zero is zero
}
