import { anything, integer, sameFromFile, secretsKey, secretsKeys, url } from './kinds.ts'

// The database, and the keys that its secrets are sealed under.

export const databaseSettings = {
  DATA_DIR: anything({
    default: 'data',
    meaning: 'Folder of the embedded PostgreSQL. Not used when DATABASE_URL is set.',
    example: '/var/lib/florin',
  }),
  DATABASE_URL: url({
    default: '',
    protocols: ['postgres:', 'postgresql:'],
    hostMayBeEmpty: true,
    meaning:
      'Your own PostgreSQL, 15 or later; by its socket: postgres://florin@/florin?host=/var/run/postgresql. Empty: the embedded one in DATA_DIR.',
    example: 'postgres://florin:secret@db.example.com:5432/florin',
  }),
  DATABASE_URL_FILE: sameFromFile({ example: '/run/secrets/database_url' }),
  DATABASE_LISTEN_URL: url({
    default: '',
    protocols: ['postgres:', 'postgresql:'],
    hostMayBeEmpty: true,
    meaning:
      'PostgreSQL itself, for notifications and migrations, if DATABASE_URL points to a pooler such as PgBouncer with pool_mode = transaction.',
    example: 'postgres://florin:secret@db.example.com:5432/florin',
  }),
  DATABASE_LISTEN_URL_FILE: sameFromFile({ example: '/run/secrets/database_listen_url' }),
  DATABASE_START_WAIT_S: integer({
    default: '60',
    min: 0,
    max: 86_400,
    meaning:
      'How long Florin waits at startup for a database that does not answer or is starting up, in seconds.',
  }),
  SECRETS_KEY: secretsKey({
    meaning:
      'Key that encrypts secrets in the database; create one with florin secrets key. Default: in DATA_DIR/secrets.key.',
  }),
  SECRETS_KEY_FILE: anything({
    default: '',
    meaning:
      'The same from a file: the key on the first line, older keys below. Not used when SECRETS_KEY is set.',
    example: '/run/secrets/florin',
  }),
  SECRETS_KEY_OLD: secretsKeys({
    meaning: 'The old key, while rotating keys; several separated by commas.',
  }),
  DATABASE_POOL_SIZE: integer({
    default: '20',
    min: 2,
    max: 500,
    meaning: 'Maximum connections to PostgreSQL per process.',
  }),
  DATABASE_WAIT_MS: integer({
    default: '5000',
    min: 100,
    max: 60_000,
    meaning: 'Maximum wait for a free connection; then Florin answers 503.',
  }),
}
