import { regions } from './goods.ts'
import { weighted, type Chance } from './random.ts'

export type DemoCustomer = {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly language: string
  readonly currency: string
}

/** Half of those who come were here before, and the early ones come most often. */
const returnShare = 55

/** Draws who comes at each moment, in order. */
export function drawCustomers(chance: Chance): (at: Date) => DemoCustomer {
  const known: DemoCustomer[] = []
  const addresses = new Set<string>()
  return () => {
    const { length } = known
    const regular = known[Math.floor(chance.next() ** 2 * length)]
    if (regular && length > 20 && chance.percent(returnShare)) return regular
    const region = weighted(chance, regions, ({ weight }) => weight)
    const [firstName, lastName] = [chance.pick<string>(region.first), chance.pick<string>(region.last)]
    const plain = `${firstName}.${lastName}`.normalize('NFKD').replaceAll(/[^A-Za-z.]/g, '')
    const stem = plain.toLowerCase()
    let email = `${stem}@mail.example`
    for (let other = 2; addresses.has(email); other += 1) email = `${stem}${other}@mail.example`
    addresses.add(email)
    const customer = { firstName, lastName, email, language: region.language, currency: region.currency }
    known.push(customer)
    return customer
  }
}
