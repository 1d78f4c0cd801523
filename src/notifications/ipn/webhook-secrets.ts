import { inTransaction, type Database } from '../../database/database.ts'
import { brokenRule } from '../../errors/refusals.ts'
import { endSecret, insertSecret, listSecrets, type SecretRow } from './secret-store.ts'
import { drawSecret } from './signature.ts'
import type { Mode } from '../../merchants/mode.ts'

// A merchant has one secret per mode, drawn when it is first needed. Rolling keeps the old one for an overlap, in
// which both sign.

export const overlapHoursMax = 72

type Owner = { readonly merchantId: number; readonly mode: Mode }

/** The valid secrets, newest first; there is always one. */
export async function webhookSecrets(
  db: Database,
  owner: Owner,
  now: Date = new Date(),
): Promise<SecretRow[]> {
  const known = await listSecrets(db, owner, now)
  if (known.some((row) => row.ends_at === null)) return known
  await insertSecret(db, owner, drawSecret())
  return listSecrets(db, owner, now)
}

/** Returns the new secret: when two roll at once, the one that both have made current. */
export async function rollWebhookSecret(
  db: Database,
  owner: Owner,
  overlapHours: number,
  now: Date = new Date(),
): Promise<string> {
  if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
    throw brokenRule('overlap', `overlap must be 0 to ${overlapHoursMax} hours`)
  }
  return inTransaction(db, async (tx) => {
    await endSecret(tx, owner, new Date(now.getTime() + overlapHours * 3_600_000))
    const secret = drawSecret()
    await insertSecret(tx, owner, secret)
    return (await listSecrets(tx, owner, now)).find((row) => row.ends_at === null)?.secret ?? secret
  })
}
