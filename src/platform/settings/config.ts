import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isLoopbackHost, isLoopbackUrl } from '../outbound/addresses.ts'
import { readEnvFile } from './env-file.ts'
import { connectionsSettings } from './connections.ts'
import { databaseSettings } from './database.ts'
import { ConfigMistakes, mask, Mistake } from './kinds.ts'
import { limitsSettings } from './limits.ts'
import { operatorsSettings } from './operators.ts'
import { openIdMistakes, peopleSettings } from './people.ts'
import { requestLogSettings } from './request-log.ts'
import { retentionSettings } from './retention.ts'
import { serverSettings } from './server.ts'
import { testsSettings } from './tests.ts'

// The only reader of process.env. Every setting is in a list of settings/, with its default and its meaning; a test
// compares them with `.env.example`.

export const settings = {
  ...serverSettings,
  ...databaseSettings,
  ...connectionsSettings,
  ...limitsSettings,
  ...operatorsSettings,
  ...peopleSettings,
  ...requestLogSettings,
  ...retentionSettings,
  ...testsSettings,
}

type Settings = typeof settings
export type SettingName = keyof Settings
type Values = { readonly [Name in SettingName]: ReturnType<Settings[Name]['parse']> }

/**
 * Whether this is a developer's own machine that no one else can reach. HOST alone doesn't say so, as there may be a
 * proxy, nor does BASE_URL, which is loopback by default even if Florin listens on every address.
 */
export function isOwnMachine({ HOST, BASE_URL }: Config): boolean {
  return isLoopbackHost(HOST) && isLoopbackUrl(BASE_URL)
}

export type Config = Values & { readonly BASE_URL: string; readonly SEO_URL: string }

/** DATABASE_URL leads to a pooler, and there is another way to PostgreSQL itself. */
export function isPooled({ DATABASE_URL, DATABASE_LISTEN_URL }: Config): boolean {
  return DATABASE_URL !== '' && DATABASE_LISTEN_URL !== ''
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

/** A secret may be in a file, as orchestrators provide them: DATABASE_URL_FILE names the file for DATABASE_URL. */
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
