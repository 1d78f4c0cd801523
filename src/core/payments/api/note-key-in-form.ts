import { inTransaction, type Database } from '../../../platform/database/database.ts'
import type { Authenticated } from '../../merchants/authenticate.ts'
import { isExposedByForm, markKeyExposed, refuseKeyInForm } from '../../merchants/key-in-form.ts'
import type { Outbox } from '../../notifications/outbox.ts'
import { warnMerchant } from '../../notifications/warn-merchant.ts'

/** The mark and the e-mail share a commit, so the merchant is told exactly once. */
export async function noteKeyInForm(
  { db, outbox }: { readonly db: Database; readonly outbox: Outbox },
  caller: Authenticated,
): Promise<void> {
  refuseKeyInForm(caller)
  if (!isExposedByForm(caller)) return
  await inTransaction(db, async (tx) => {
    const hint = await markKeyExposed(tx, caller)
    if (hint === undefined) return
    const to = { merchantId: caller.merchant.id, mode: 'live' } as const
    await warnMerchant(outbox, tx, to, 'key.exposed', { template: 'key_exposed', hint, keyId: caller.keyId })
  })
}
