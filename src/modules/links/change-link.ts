import { inTransaction, violates, type Transaction } from '../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { changed, recordAct, type Actor } from '../../core/audit/audit.ts'
import { auditFacts } from './create-link.ts'
import type { LinkPlace, Linking } from './linking.ts'
import { findLink, setPaused, updateLink, type LinkChange, type LinkRow } from './store.ts'

// Each change is one commit with its entry in the log. What changes nothing writes none.

export async function changeLink(
  linking: Linking,
  place: LinkPlace,
  id: string,
  change: LinkChange,
  by: Actor,
): Promise<void> {
  await inTransaction(linking.db, async (tx) => {
    const link = await lockLink(tx, place, id)
    const after = auditFacts({ ...change, ends_at: change.ends_at?.toISOString() ?? null })
    const differs = changed(auditFacts(link), after)
    if (!differs) return
    await updateLink(tx, place.merchant.id, id, change)
    await recordAct(tx, place.merchant.id, by, { action: 'link.changed', subject: id, ...differs })
  }).catch((error: unknown) => {
    throw violates(error, 'links_never_oversold')
      ? brokenRule('stock', 'More than this have been paid or are being paid')
      : error
  })
}

export async function pauseLink(linking: Linking, place: LinkPlace, id: string, by: Actor): Promise<void> {
  await inTransaction(linking.db, async (tx) => {
    const link = await lockLink(tx, place, id)
    if (link.paused_at !== null) return
    await setPaused(tx, place.merchant.id, id, linking.now())
    await recordAct(tx, place.merchant.id, by, {
      action: 'link.paused',
      subject: id,
      after: { title: link.title },
    })
  })
}

export async function resumeLink(linking: Linking, place: LinkPlace, id: string, by: Actor): Promise<void> {
  await inTransaction(linking.db, async (tx) => {
    const link = await lockLink(tx, place, id)
    if (link.paused_at === null) return
    await setPaused(tx, place.merchant.id, id, null)
    await recordAct(tx, place.merchant.id, by, {
      action: 'link.resumed',
      subject: id,
      after: { title: link.title },
    })
  })
}

async function lockLink(tx: Transaction, { merchant, mode }: LinkPlace, id: string): Promise<LinkRow> {
  const link = await findLink(tx, merchant.id, id, { forUpdate: true })
  if (link?.mode !== mode) throw new Refusal('not_found', 'Link not found')
  return link
}
