import type { Transaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { bySystem, recordAct } from '../audit/audit.ts'
import type { Authenticated } from './authenticate.ts'
import { markExposed } from './store.ts'

// A secret key in a web form can be read by everybody who opens the page. It is accepted, as the published form
// says, unless the merchant switched that off; a live one is marked as exposed.

export function refuseKeyInForm(caller: Authenticated): void {
  if (caller.kind !== 'secret' || caller.merchant.formsTakeSecretKeys) return
  throw new Refusal('unauthorized', "This account doesn't accept secret keys in web forms: use a form key", {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

export function isExposedByForm(caller: Authenticated): boolean {
  return caller.kind === 'secret' && caller.mode === 'live' && !caller.exposed
}

/** Returns the key's hint the first time and undefined afterwards, so that the merchant is told once. */
export async function markKeyExposed(tx: Transaction, caller: Authenticated): Promise<string | undefined> {
  const hint = await markExposed(tx, caller.merchant.id, caller.keyId)
  if (hint === undefined) return undefined
  await recordAct(tx, caller.merchant.id, bySystem, {
    action: 'key.exposed',
    subject: caller.keyId,
    after: { hint, why: 'It was sent by a web form' },
  })
  return hint
}
