import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import type { Authenticated } from './authenticate.ts'
import { markExposed } from './store.ts'

// A secret key in a web form can be read by everybody who opens the page. It is accepted, as the published form
// says, unless the merchant switched that off; a live one is marked, and the merchant is told once.

/** True when a live key was seen in a form for the first time. */
export async function noteKeyInForm(db: Database, caller: Authenticated): Promise<boolean> {
  if (caller.kind !== 'secret') return false
  if (!caller.merchant.formsTakeSecretKeys) {
    throw new Refusal(
      'unauthorized',
      'Secret keys are not taken in web forms for this account, use a form key',
      {
        headers: { 'www-authenticate': 'Bearer' },
      },
    )
  }
  if (caller.mode !== 'live' || caller.exposed) return false
  return markExposed(db, caller.merchant.id, caller.keyId)
}
