import type { Config } from '../platform/settings/config.ts'
import type { Database } from '../platform/database/database.ts'
import { rotateKey } from '../core/audit/rotate-key.ts'
import { addKeyToFile } from '../platform/secrets/key-file.ts'
import { countSealings, resealAll, type SealedRows, type Sealings } from '../platform/secrets/reseal.ts'
import { drawSecretsKey } from '../platform/secrets/secrets-key.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { SecretsRefused } from '../platform/secrets/secrets-refused.ts'
import type { Lists } from './terminal/command.ts'
import { flag, readArguments, UsageMistake } from './terminal/arguments.ts'
import { print, printTable, printLine } from './terminal/print.ts'
import { openKeyRing, ownKeyFile } from './reach/open-key-ring.ts'
import { byCommandLine } from './reach/who.ts'
import { withDatabase } from './reach/with-database.ts'
import { standard } from './terminal/standard.ts'

export const secretsHelp = `florin secrets key
florin secrets check [--json]
florin secrets rotate [--json]

  Florin encrypts secrets in the database, such as the ones that sign
  notifications. The key is outside the database: SECRETS_KEY, the first line of
  SECRETS_KEY_FILE, or the file secrets.key in DATA_DIR.

  key prints a new key and stores nothing. check shows which secrets use which
  key, and whether that key is set. rotate encrypts all secrets with the new key
  while servers run:

  SECRETS_KEY        restart every server with the new key in SECRETS_KEY and
                     the old one in SECRETS_KEY_OLD; then florin secrets rotate;
                     remove SECRETS_KEY_OLD at the next restart
  SECRETS_KEY_FILE   put the new key on the first line, above the old one, on
                     every server; then florin secrets rotate
  neither            florin secrets rotate creates the new key itself

  Keep the old key as long as you keep older backups.`

type Rooms = readonly SealedRows<unknown>[]

export async function secrets(config: Config, args: string[], { sealed }: Lists): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'key') return drawKey(rest)
  if (verb === 'check') return check(config, rest, sealed)
  if (verb === 'rotate') return rotate(config, rest, sealed)
  throw new UsageMistake('Name a subcommand: florin secrets key, check or rotate')
}

function drawKey(args: string[]): void {
  readArguments(args, {})
  print(drawSecretsKey())
  if (standard().stdout.isTTY)
    printLine('Set SECRETS_KEY to it on every server, and keep a copy apart from the database backups.')
}

async function check(config: Config, args: string[], sealed: Lists['sealed']): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } })
  const { rows, missing } = await withDatabase(config, async (db) => {
    const ring = await openKeyRing(config, db)
    return stateOf(db, await sealed(db), ring.secrets)
  })
  if (flag(parsed, 'json')) print(JSON.stringify(rows))
  else
    printTable(
      ['SECRETS', 'KEY', 'COUNT', 'STATE'],
      rows.map((row) => [row.secrets, row.key, String(row.count), row.state]),
      { right: ['COUNT'] },
    )
  refuseMissing(missing)
}

type Row = {
  readonly secrets: string
  readonly key: string
  readonly count: number
  /** old: it opens, and a rotation reseals it. */
  readonly state: 'current' | 'old' | 'not given' | 'plain'
}

async function stateOf(db: Database, rooms: Rooms, given: Secrets): Promise<{ rows: Row[]; missing: Row[] }> {
  const rows = (await countSealings(db, rooms)).flatMap((sealings) => rowsOf(sealings, given))
  return { rows, missing: rows.filter(({ state }) => state === 'not given') }
}

function rowsOf({ what, byKey }: Sealings, given: Secrets): Row[] {
  return [...byKey].map(([key, count]) => {
    const state = key === given.keyId ? 'current' : given.keyIds.includes(key) ? 'old' : 'not given'
    return { secrets: what, key, count, state: key === 'plain' ? 'plain' : state }
  })
}

function refuseMissing(missing: readonly Row[]): void {
  if (missing.length === 0) return
  const parts = missing.map((row) => `${row.count} ${row.secrets} under ${row.key}`)
  throw new SecretsRefused(
    `Some secrets can't be decrypted because their key is missing: ${parts.join(', ')}. Add it to SECRETS_KEY_OLD and run: florin secrets rotate`,
  )
}

async function rotate(config: Config, args: string[], sealed: Lists['sealed']): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } })
  const { before, after, count, missing } = await withDatabase(config, async (db) =>
    rotateIn(config, db, await sealed(db)),
  )
  if (flag(parsed, 'json')) print(JSON.stringify({ from: before, to: after, secrets: count }))
  else print(summary(before, after, count))
  if (before !== after && standard().stdout.isTTY)
    printLine(
      `Servers that have it are already using it. Keep key ${before} as long as you keep older backups.`,
    )
  refuseMissing(missing)
}

function summary(before: string, after: string, count: number): string {
  if (count === 0) return `All secrets already use key ${after}`
  return `Encrypted ${count} ${count === 1 ? 'secret' : 'secrets'} with the key ${after}${before === after ? '' : ` instead of ${before}`}`
}

async function rotateIn(config: Config, db: Database, rooms: Rooms) {
  let ring = await openKeyRing(config, db)
  const before = ring.secrets.keyId
  const own = ownKeyFile(config)
  // A rotation that was interrupted left its key in front.
  if (own !== undefined && ring.first.id === before) {
    addKeyToFile(own)
    ring = await openKeyRing(config, db)
  }
  const after = ring.first.id
  if (after === before && ring.secrets.keyIds.length === 1)
    throw new SecretsRefused(
      `There is no new key: secrets are encrypted with ${before}, and no other key is set. ` +
        `Create one with "florin secrets key", then set SECRETS_KEY to it and SECRETS_KEY_OLD to the old one on every server.`,
    )
  await rotateKey(db, ring.secrets, after, byCommandLine())
  let count = 0
  // A server that has not heard of the new key yet may have sealed something under the old one meanwhile.
  for (let sealed = -1; sealed !== 0; count += sealed) sealed = await resealAll(db, ring.secrets, rooms)
  return { before, after, count, missing: (await stateOf(db, rooms, ring.secrets)).missing }
}
