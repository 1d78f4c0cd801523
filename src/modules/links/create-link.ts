import { inTransaction, makeOnce, type Transaction } from '../../platform/database/database.ts'
import { drawnRefPrefix } from '../../platform/input/drawn-ref.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { recordAct, type Actor, type Facts } from '../../core/audit/audit.ts'
import { plainAmount } from '../../platform/money/money.ts'
import { checkPayment, startPayment } from './start-payment.ts'
import type { LinkPlace, Linking } from './linking.ts'
import type { LinkRequest } from './read-link.ts'
import { insertLink, type LinkRow } from './store.ts'

/** With a known customer, its payment is made too. `id`: for who asks for one link and may ask twice. */
export async function createLink(
  linking: Linking,
  place: LinkPlace,
  { customer, ...request }: LinkRequest,
  by: Actor,
  id = `lnk_${randomBase62(16)}`,
): Promise<LinkRow> {
  const { db, now } = linking
  const asked = customer && { ...customer, txRef: drawTxRef(), amountMinor: undefined }
  // Before the link is created: a wrong address would leave one behind that can't be paid.
  if (asked) checkPayment(place, request, asked)
  const insert = async (tx: Transaction): Promise<LinkRow> => {
    const made = await insertLink(tx, place.merchant.id, { ...request, id }, now())
    await recordAct(tx, place.merchant.id, by, {
      action: 'link.created',
      subject: made.id,
      after: { mode: made.mode, kind: made.kind, ...amountFacts(made), ...auditFacts(made) },
    })
    return made
  }
  const link = await makeOnce('links_pkey', () => inTransaction(db, insert))
  if (asked) await startPayment(linking, place, link, asked)
  return link
}

/** Only letters and digits, as it is part of URLs. */
export function drawTxRef(): string {
  return drawnRefPrefix + randomBase62(16)
}

/** The facts of a link that may change, for the audit log. */
export function auditFacts(link: Pick<LinkRow, 'title' | 'description' | 'stock' | 'ends_at'>): Facts {
  const { title, description, stock, ends_at } = link
  return { title, description, stock, ends_at: ends_at === null ? null : new Date(ends_at).toISOString() }
}

function amountFacts({ currency, amount_minor, least_minor, most_minor }: LinkRow): Facts {
  const format = (minor: bigint | null): string | null =>
    minor === null ? null : plainAmount(minor, currency)
  return { currency, amount: format(amount_minor), least: format(least_minor), most: format(most_minor) }
}
