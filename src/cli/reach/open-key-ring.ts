import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/settings/config.ts'
import { Database } from '../../platform/database/database.ts'
import { checkKey, currentKeyId } from '../../platform/secrets/check-key.ts'
import { createKeyFile, readKeyFile } from '../../platform/secrets/key-file.ts'
import { makeKeyRing, type KeyRing } from '../../platform/secrets/key-ring.ts'
import { sealPlain, type SealedRows } from '../../platform/secrets/reseal.ts'
import { readSecretsKey, type SecretsKey } from '../../platform/secrets/secrets-key.ts'
import { SecretsRefused } from '../../platform/secrets/secrets-refused.ts'
import { isLoopbackUrl } from '../../platform/outbound/addresses.ts'

// Where the keys of the secrets come from: SECRETS_KEY; SECRETS_KEY_FILE; or a file beside the data, which Florin makes by
// itself where losing it is a developer's nuisance at most, or where it is lost together with the data.

/** The file that Florin keeps itself, when no setting names a key. */
export function ownKeyFile(config: Config): string | undefined {
  return config.SECRETS_KEY || config.SECRETS_KEY_FILE ? undefined : join(config.DATA_DIR, 'secrets.key')
}

/** Keys of the settings, checked with what is sealed in the database. Throws SecretsRefused, which says what to do. */
export async function openKeyRing(config: Config, db: Database): Promise<KeyRing> {
  const own = ownKeyFile(config)
  if (own !== undefined && readKeyFile(own) === undefined) await makeOwnKey(config, db, own)
  const ring = makeKeyRing(() => [...readKeys(config), ...oldKeys(config)])
  await checkKey(db, ring.secrets)
  return ring
}

/** Before a server or a worker starts: plain secrets are sealed as well. */
export async function prepareSecrets(
  config: Config,
  databaseUrl: string,
  rooms: readonly SealedRows<unknown>[],
): Promise<{ ring: KeyRing; sealed: number }> {
  const db = new Database(databaseUrl, {
    poolSize: 2,
    waitMs: config.DATABASE_WAIT_MS,
    statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    name: 'florin start',
  })
  try {
    const ring = await openKeyRing(config, db)
    return { ring, sealed: await sealPlain(db, ring.secrets, rooms) }
  } finally {
    await db.close()
  }
}

async function makeOwnKey(config: Config, db: Database, file: string): Promise<void> {
  const keyId = await currentKeyId(db)
  if (keyId !== undefined)
    throw new SecretsRefused(
      `The secrets in this database are encrypted with key ${keyId}, but no key is set and ${file} does not exist. ` +
        `Restore that file from a backup, or set SECRETS_KEY.`,
    )
  if (config.DATABASE_URL !== '' && !isAtHome(config))
    throw new SecretsRefused(
      `SECRETS_KEY is missing: Florin encrypts secrets with it. Create one with "florin secrets key", ` +
        `set the same key on every server, and keep a copy apart from the database backups.`,
    )
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
  createKeyFile(file)
}

/** Only this machine can reach it. Elsewhere the folder may belong to a container that is thrown away. */
function isAtHome(config: Config): boolean {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return isLoopbackUrl(config.BASE_URL) && isLoopbackUrl(`http://${host}`)
}

function readKeys(config: Config): SecretsKey[] {
  if (config.SECRETS_KEY) return keysIn([config.SECRETS_KEY])
  const file = config.SECRETS_KEY_FILE || join(config.DATA_DIR, 'secrets.key')
  const keys = readKeyFile(file)
  if (!keys)
    throw new SecretsRefused(
      `${file} does not exist. It should hold the key that encrypts secrets. Restore it from a backup, or fix SECRETS_KEY_FILE.`,
    )
  return keys
}

function oldKeys(config: Config): SecretsKey[] {
  return keysIn(config.SECRETS_KEY_OLD)
}

/** Settings are checked when they are read. */
function keysIn(texts: readonly string[]): SecretsKey[] {
  return texts.map(readSecretsKey).filter((key) => key !== undefined)
}
