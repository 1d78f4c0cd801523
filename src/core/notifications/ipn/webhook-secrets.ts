import { inTransaction, type Database, type Queryable } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import { bySystem, recordAct, type Actor } from '../../audit/audit.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { endSecret, insertSecret, listSecrets } from './secret-store.ts'
import { drawSecret } from './signature.ts'
import { openStored, placeOf } from './stored-secret.ts'
import type { Mode } from '../../merchants/mode.ts'

// A merchant has one secret per mode, drawn when it is first needed. Rolling keeps the old one for an overlap, in
// which both sign.

export const overlapHoursMax = 72

type Owner = { readonly merchantId: number; readonly mode: Mode }

type SecretStore = { readonly db: Database; readonly secrets: Secrets }

export type WebhookSecret = {
  readonly id: string
  readonly secret: string
  readonly created_at: string
  readonly ends_at: string | null
}

/** The valid secrets, newest first; there is always one. */
export async function webhookSecrets(
  { db, secrets }: SecretStore,
  { merchantId, mode }: Owner,
  now: Date = new Date(),
): Promise<WebhookSecret[]> {
  const owner = { merchantId, mode }
  let known = await listSecrets(db, owner, now)
  if (!known.some((row) => row.ends_at === null)) {
    await insertFresh(db, secrets, owner)
    known = await listSecrets(db, owner, now)
  }
  return known.map(({ id, stored, created_at, ends_at }) => ({
    id,
    secret: openStored(secrets, owner, stored),
    created_at,
    ends_at,
  }))
}

/** The existing secrets, as text: to verify a signature. None is created for it. */
export async function drawnWebhookSecrets(
  { db, secrets }: SecretStore,
  { merchantId, mode }: Owner,
  now: Date,
): Promise<string[]> {
  const owner = { merchantId, mode }
  return (await listSecrets(db, owner, now)).map(({ stored }) => openStored(secrets, owner, stored))
}

/** The same, for a person who views them, which is audited. */
export async function showWebhookSecrets(
  keeping: SecretStore,
  owner: Owner,
  by: Actor,
  now: Date = new Date(),
): Promise<WebhookSecret[]> {
  const shown = await webhookSecrets(keeping, owner, now)
  await inTransaction(keeping.db, async (tx) =>
    recordAct(tx, owner.merchantId, by, {
      action: 'webhook_secret.shown',
      subject: owner.mode,
      after: { secrets: shown.length },
    }),
  )
  return shown
}

/**
 * Returns the new secret: when two roll at once, the one that both have made current. `rolled`: the id of the one that is meant;
 * when it is not current any more, it was rolled before, and nothing is done.
 */
export async function rollWebhookSecret(
  { db, secrets }: SecretStore,
  owner: Owner,
  overlapHours: number,
  by: Actor = bySystem,
  { now = new Date(), rolled }: { readonly now?: Date; readonly rolled?: string | undefined } = {},
): Promise<string> {
  if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
    throw brokenRule('overlap', `overlap must be 0 to ${overlapHoursMax} hours`)
  }
  return inTransaction(db, async (tx) => {
    const endsAt = new Date(now.getTime() + overlapHours * 3_600_000)
    await endSecret(tx, owner, endsAt, rolled)
    const id = await insertFresh(tx, secrets, owner)
    // Otherwise someone else rolled it at the same moment, and audited it.
    if (id !== undefined)
      await recordAct(tx, owner.merchantId, by, {
        action: 'webhook_secret.rolled',
        subject: id,
        after: { mode: owner.mode, overlap_hours: overlapHours },
      })
    const current = (await listSecrets(tx, owner, now)).find((row) => row.ends_at === null)
    if (!current) throw new Error('The new webhook secret vanished while it was read')
    return openStored(secrets, owner, current.stored)
  })
}

/** Its id; undefined when there is a current one. */
async function insertFresh(db: Queryable, secrets: Secrets, owner: Owner): Promise<string | undefined> {
  const id = `whs_${randomBase62(16)}`
  const sealed = secrets.seal(placeOf(owner, id), Buffer.from(drawSecret()))
  return (await insertSecret(db, owner, { id, sealed })) ? id : undefined
}
