import { inTransaction, type Database, type Transaction } from '../database/database.ts'
import type { Listener } from '../database/listen.ts'
import type { Logger } from '../http/log.ts'
import { announceKey, findSecret, replaceSecret, shareSecret } from './installation-secret-store.ts'
import { canaryName, placeOf } from './installation-secrets.ts'
import { keyIdOf, Unsealable, type Secrets } from './secrets.ts'
import type { SecretsKey } from './secrets-key.ts'
import { SecretsRefused } from './secrets-refused.ts'

// One value in the database is sealed for no other reason than to say under which key the others are. A start that could
// not open it would run until the first notification has to be signed; so it is opened first. It also says which of two
// keys seals while one replaces the other: servers that do not know the new one yet go on, until the rotation begins.

const canaryPlace = placeOf(canaryName)
const canaryText = Buffer.from('florin')

/** The id of the key that the secrets of this database are sealed under; undefined before the first. */
export async function currentKeyId(db: Database): Promise<string | undefined> {
  const row = await findSecret(db, canaryName)
  return row?.sealed ? keyIdOf(row.sealed) : undefined
}

/** Throws SecretsRefused unless these keys open the secrets of this database. A database without secrets is theirs. */
export async function checkKey(db: Database, secrets: Secrets): Promise<void> {
  const { sealed } = await shareSecret(db, canaryName, secrets.seal(canaryPlace, canaryText))
  const keyId = sealed === null ? undefined : keyIdOf(sealed)
  if (sealed === null || keyId === undefined || !secrets.sealUnder(keyId)) throw wrongKey(keyId, secrets)
  try {
    secrets.open(canaryPlace, sealed)
  } catch (error) {
    if (error instanceof Unsealable) throw wrongKey(keyId, secrets)
    throw error
  }
}

function wrongKey(keyId: string | undefined, secrets: Secrets): SecretsRefused {
  const given =
    secrets.keyIds.length === 1 ? `${secrets.keyIds[0]} was` : `${secrets.keyIds.join(' and ')} were`
  return new SecretsRefused(
    `The secrets in this database are encrypted with the key ${keyId ?? 'of another program'}, but ${given} set. ` +
      `Set SECRETS_KEY to that key. If you want to change the key, set SECRETS_KEY_OLD to the old one and run: florin secrets rotate`,
  )
}

/** From now on all servers seal under this key. False when they did before. */
export async function changeKey(
  db: Database,
  secrets: Secrets,
  keyId: string,
  record: (tx: Transaction, oldKeyId: string | undefined) => Promise<void>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const before = await findSecret(tx, canaryName)
    if (!before?.sealed || !secrets.sealUnder(keyId)) throw new Error('A key is changed after it was checked')
    const old = keyIdOf(before.sealed)
    if (old === keyId) return false
    if (!(await replaceSecret(tx, before, secrets.seal(canaryPlace, canaryText))))
      throw new SecretsRefused('Someone else is already rotating the key.')
    await announceKey(tx, keyId)
    await record(tx, old)
    return true
  })
}

/** Follows a rotation while a server runs. `reread`: the keys of a file, which may hold the new one by now. */
export function followKey(
  db: Database,
  listener: Listener,
  secrets: Secrets,
  log: Logger,
  reread: () => readonly SecretsKey[],
): void {
  function follow(keyId: string): void {
    if (secrets.sealUnder(keyId)) return
    try {
      for (const key of reread()) secrets.accept(key)
    } catch (error) {
      log.warn({ err: error }, 'Could not read the key file again')
    }
    if (!secrets.sealUnder(keyId))
      log.error(
        `Secrets are now encrypted with the key ${keyId}, which this server doesn't have: restart it with that key as SECRETS_KEY`,
      )
  }
  listener.on('florin_secrets_key', follow)
  // Notifications missed without a listener.
  listener.onConnect(() => {
    currentKeyId(db).then(
      (keyId) => keyId !== undefined && follow(keyId),
      () => {}, // the connection is gone again
    )
  })
}
