import { checkout } from './checkout.ts'
import { http } from './http.ts'
import { merchants } from './merchants.ts'
import { money } from './money.ts'
import { notifications } from './notifications.ts'
import { payments } from './payments.ts'

/** A bug that no test notices, on purpose. `change` is a part of the line that `npm run mutants` prints. */
export type Accepted = { readonly path: string; readonly change: string; readonly reason: string }

export const accepted: readonly Accepted[] = [
  ...checkout,
  ...http,
  ...merchants,
  ...money,
  ...notifications,
  ...payments,
]
