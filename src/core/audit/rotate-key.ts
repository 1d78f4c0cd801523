import type { Database } from '../../platform/database/database.ts'
import { changeKey } from '../../platform/secrets/check-key.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { bySystem, installation, recordAct, type Actor } from './audit.ts'

/** From now on all servers seal under this key. False when they did before. */
export async function rotateKey(
  db: Database,
  secrets: Secrets,
  keyId: string,
  by: Actor = bySystem,
): Promise<boolean> {
  return changeKey(db, secrets, keyId, async (tx, oldKeyId) =>
    recordAct(tx, installation, by, {
      action: 'secrets_key.rotated',
      subject: keyId,
      before: { key: oldKeyId ?? null },
      after: { key: keyId },
    }),
  )
}
