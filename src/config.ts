import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isLoopbackHost, isLoopbackUrl } from './outbound/addresses.ts'
import { readEnvFile } from './env-file.ts'
import { openIdMistakes, peopleSettings } from './people-settings.ts'
import {
  address,
  anything,
  integer,
  list,
  Mistake,
  oneOf,
  sameFromFile,
  secretsKey,
  secretsKeys,
  url,
} from './setting-kinds.ts'

// The only reader of process.env. Every setting stands in `settings` below, with its default and its meaning;
// `.env.example` is compared with it by a test.

export const settings = {
  PORT: integer({ default: '3000', min: 0, max: 65_535, meaning: 'Port to listen on.' }),
  HOST: anything({
    default: '127.0.0.1',
    meaning: 'Address to listen on. 0.0.0.0 for every interface.',
    example: '0.0.0.0',
  }),
  SHARE_PORT: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning:
      'Linux: whether more processes of Florin may listen on the same port, to use more than one core.',
  }),
  BASE_URL: url({
    default: '',
    meaning: 'Where customers and merchants reach Florin. Default: http://HOST:PORT.',
    example: 'https://pay.example.com',
  }),
  SEO_URL: url({
    default: '',
    meaning: 'Where the projects API is reached. Default: BASE_URL.',
    example: 'https://projects.example.com',
  }),
  PROJECTS_ON_SEO_HOST_ONLY: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning: 'Whether the projects API answers on the host of SEO_URL and nowhere else.',
  }),
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
      'PostgreSQL itself, when DATABASE_URL leads to a pooler such as PgBouncer with pool_mode = transaction: for notifications and migrations.',
    example: 'postgres://florin:secret@db.example.com:5432/florin',
  }),
  DATABASE_LISTEN_URL_FILE: sameFromFile({ example: '/run/secrets/database_listen_url' }),
  DATABASE_START_WAIT_S: integer({
    default: '60',
    min: 0,
    max: 86_400,
    meaning: 'How long a start waits for a database that does not answer, in seconds.',
  }),
  SECRETS_KEY: secretsKey({
    meaning:
      'Key that secrets in the database are sealed under: florin secrets key makes one. Default: in DATA_DIR/secrets.key.',
  }),
  SECRETS_KEY_FILE: anything({
    default: '',
    meaning:
      'The same from a file: the key in its first line, older ones below. Not used when SECRETS_KEY is set.',
    example: '/run/secrets/florin',
  }),
  SECRETS_KEY_OLD: secretsKeys({
    meaning: 'While keys are rotated: the key before; several with commas between.',
  }),
  DATABASE_POOL_SIZE: integer({
    default: '20',
    min: 2,
    max: 500,
    meaning: 'Most connections to PostgreSQL per process.',
  }),
  DATABASE_WAIT_MS: integer({
    default: '5000',
    min: 100,
    max: 60_000,
    meaning: 'Longest wait for a free connection; then the answer is 503.',
  }),
  REQUEST_TIMEOUT_MS: integer({
    default: '10000',
    min: 1_000,
    max: 120_000,
    meaning: 'Longest time for a request to arrive, and for one statement.',
  }),
  HEADER_TIMEOUT_MS: integer({
    default: '10000',
    min: 1_000,
    max: 120_000,
    meaning: 'Longest time for the head of a request to arrive; never more than REQUEST_TIMEOUT_MS.',
  }),
  IDLE_TIMEOUT_MS: integer({
    default: '72000',
    min: 1_000,
    max: 600_000,
    meaning: 'How long a connection may stay open while nothing moves on it.',
  }),
  MAX_CONNECTIONS: integer({
    default: '10000',
    min: 10,
    max: 1_000_000,
    meaning:
      'Most connections of clients per process; never more than three quarters of the files that the system lets it open.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({
    default: '500',
    min: 1,
    max: 1_000_000,
    meaning:
      'Most of them from one address (IPv6: one /64), and never more than half; addresses in TRUSTED_PROXIES are not counted.',
  }),
  SHUTDOWN_TIMEOUT_MS: integer({
    default: '15000',
    min: 1_000,
    max: 300_000,
    meaning: 'How long running requests may finish after SIGTERM.',
  }),
  RATE_LIMIT_PER_SECOND: integer({
    default: '100',
    min: 1,
    max: 1_000_000,
    meaning: 'Requests per second and key, on each server.',
  }),
  RATE_LIMIT_BURST: integer({
    default: '200',
    min: 1,
    max: 1_000_000,
    meaning: 'Requests that a rested key may send at once.',
  }),
  MISS_LIMIT_PER_SECOND: integer({
    default: '10',
    min: 1,
    max: 1_000_000,
    meaning:
      'Look-ups of things that do not exist, per second: per key; of checkout links and wrong keys per address (IPv6: per /64).',
  }),
  CARD_TESTING_FREE_DECLINES: integer({
    default: '5',
    min: 1,
    max: 1_000_000,
    meaning:
      'Declined cards from one address (IPv6: per /64), or of one card, at one merchant before waits begin.',
  }),
  CARD_TESTING_ATTACK_DECLINES: integer({
    default: '30',
    min: 1,
    max: 1_000_000,
    meaning: 'Declined cards of one merchant within ten minutes before it may be under attack.',
  }),
  CARD_TESTING_ATTACK_PERCENT: integer({
    default: '70',
    min: 1,
    max: 100,
    meaning: 'What share of its attempts they must be, in per cent, for an attack.',
  }),
  TRUSTED_PROXIES: list({
    default: '',
    meaning:
      'Addresses or CIDR ranges whose X-Forwarded-For and x-request-id are believed, separated by commas.',
    example: '10.0.0.0/8,192.168.1.5',
  }),
  SMTP_URL: url({
    default: '',
    protocols: ['smtp:', 'smtps:'],
    meaning: 'Mail server for live mail. Empty: live mail waits until it is set.',
    example: 'smtps://user:secret@mail.example.com:465',
  }),
  SMTP_URL_FILE: sameFromFile({ example: '/run/secrets/smtp_url' }),
  MAIL_FROM: address({
    default: '',
    meaning: 'Address that mail comes from. Default: no-reply at the host of BASE_URL.',
    example: 'receipts@pay.example.com',
  }),
  FLORIN_KEY: anything({
    default: '',
    meaning: 'Secret key for florin commands that call the API. Empty: they ask for it.',
    example: 'sk_test_…',
  }),
  FLORIN_KEY_FILE: sameFromFile({ example: '/run/secrets/florin_key' }),
  LOG_LEVEL: oneOf({
    default: 'info',
    allowed: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    meaning: 'How much is logged.',
  }),
  METRICS: oneOf({ default: 'on', allowed: ['on', 'off'], meaning: 'Whether /metrics answers.' }),
  METRICS_PORT: integer({
    default: '0',
    min: 0,
    max: 65_535,
    meaning:
      'Port of their own for /metrics and the details of /readyz. 0: on PORT while HOST and BASE_URL are loopback, else nowhere.',
  }),
  METRICS_HOST: anything({
    default: '127.0.0.1',
    meaning: 'Address to listen on for METRICS_PORT: one that the public does not reach.',
    example: '10.0.0.5',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    default: '',
    meaning: 'Collector of OpenTelemetry that traces are sent to, by OTLP over HTTP. Empty: none are made.',
    example: 'http://127.0.0.1:4318',
  }),
  ...peopleSettings,
  STRIPE_URL: url({
    default: '',
    meaning: 'For tests only: what is called instead of Stripe. It gets the credentials.',
    example: 'http://127.0.0.1:12111',
  }),
  GOCARDLESS_URL: url({
    default: '',
    meaning: 'For tests only: what is called instead of GoCardless. It gets the credentials.',
    example: 'http://127.0.0.1:12112',
  }),
  ALLOW_UNSAFE_DATABASE: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning: 'For tests only: takes live payments on a PostgreSQL that may lose them.',
  }),
}

type Settings = typeof settings
export type SettingName = keyof Settings
type Values = { readonly [Name in SettingName]: ReturnType<Settings[Name]['parse']> }

/**
 * Whether this is a developer's own machine, which nobody else reaches. HOST alone does not say so, as a proxy may stand
 * before it, nor does BASE_URL, which is loopback by default also when Florin listens on every address.
 */
export function isOwnMachine({ HOST, BASE_URL }: Config): boolean {
  return isLoopbackHost(HOST) && isLoopbackUrl(BASE_URL)
}

export type Config = Values & { readonly BASE_URL: string; readonly SEO_URL: string }

export class ConfigMistakes extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** Reads .env and the environment; the environment wins. Throws ConfigMistakes with every mistake at once. */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
  warn: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Config {
  const file = readEnvFile(folder)
  const given = { ...file.values, ...environment }
  const mistakes = [...file.mistakes]
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    let text = given[name]?.trim() ?? ''
    try {
      if (text === '') text = textFromFile(name, given) || setting.default
      values[name] = setting.parse(text)
    } catch (error) {
      if (!(error instanceof Mistake)) throw error
      mistakes.push(
        `${name} ${error.message}, but is "${mask(name, text)}". Example: ${name}=${setting.example}`,
      )
    }
  }
  if (mistakes.length === 0) mistakes.push(...openIdMistakes(values as Values))
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes)
  // Other programs may have theirs in the same file, so this is no mistake.
  for (const name of Object.keys(file.values))
    if (!Object.hasOwn(settings, name)) warn(`${name} in .env is not a setting of Florin: see .env.example`)
  return complete(values as Values)
}

/** A secret may stand in a file, as orchestrators hand them out: DATABASE_URL_FILE names the one of DATABASE_URL. */
function textFromFile(name: string, given: NodeJS.ProcessEnv): string {
  const path = given[`${name}_FILE`]?.trim() ?? ''
  // The keys for secrets have a file with several lines, and a reader of its own.
  if (path === '' || name === 'SECRETS_KEY' || !Object.hasOwn(settings, `${name}_FILE`)) return ''
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Mistake(`can't be read from ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

/** The same, once PORT=0 has become a real port, which the addresses made of it must show. */
export function withPort(config: Config, port: number): Config {
  const shown = (text: string): string => text.replace(/:0$/, `:${port}`)
  return { ...config, PORT: port, BASE_URL: shown(config.BASE_URL), SEO_URL: shown(config.SEO_URL) }
}

/** Set by bin/florin for its child: a pipe that closes when the launcher is gone. Not a setting. */
export function launcherDescriptor(): number | undefined {
  const descriptor = process.env['FLORIN_LAUNCHER_FD']
  return descriptor === undefined ? undefined : Number(descriptor)
}

function complete(values: Values): Config {
  const host = values.HOST.includes(':') ? `[${values.HOST}]` : values.HOST
  const reachable = values.HOST === '0.0.0.0' || values.HOST === '::' ? '127.0.0.1' : host
  const base = values.BASE_URL || `http://${reachable}:${values.PORT}`
  return { ...values, DATA_DIR: resolve(values.DATA_DIR), BASE_URL: base, SEO_URL: values.SEO_URL || base }
}

/** A mistake must not print the key or the password that stands in it, however badly it is written. */
function mask(name: string, text: string): string {
  if (name.startsWith('SECRETS_KEY')) return '…'
  if (!name.endsWith('_URL')) return text
  return text.replace(/^([a-z+]+:\/\/)?.*@/is, '$1…@').replace(/(password=)[^&]*/gi, '$1…')
}
