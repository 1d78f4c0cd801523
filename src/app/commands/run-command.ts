import { readConfig } from '../../platform/settings/config.ts'
import { BackupRefused } from '../../modules/backup/backup-refused.ts'
import { SpreadRefused } from '../../platform/database/spread/spread.ts'
import { DataFolderRefused } from '../../platform/postgres/data-folder.ts'
import { UnsafeDatabase } from '../../platform/database/durability.ts'
import { EmbeddedRefused } from '../../platform/postgres/embedded-refused.ts'
import { MigrationRefused } from '../../platform/database/migrate.ts'
import { PoolerRefused } from '../../platform/database/pool/pooler.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { SecretsRefused } from '../../platform/secrets/secrets-refused.ts'
import { ConfigMistakes } from '../../platform/settings/kinds.ts'
import { programVersion } from '../../platform/settings/version.ts'
import { closest } from '../../platform/input/closest.ts'
import { lists } from './lists.ts'
import { catalogue } from './catalogue.ts'
import { commandNames, findCommand, overview } from '../../cli/terminal/command.ts'
import { PortRefused } from './open-port.ts'
import { databaseName, FailedWhenAsked } from '../../cli/reach/asked.ts'
import { databaseTrouble } from '../../cli/reach/database-trouble.ts'
import { Stopped } from '../../cli/terminal/stopped.ts'
import { UsageMistake } from '../../cli/terminal/arguments.ts'
import { print, printLine } from '../../cli/terminal/print.ts'
import { standard } from '../../cli/terminal/standard.ts'

const exitUsage = 64
const exitRefused = 69
const exitConfig = 78

export type Invocation = { readonly name: string; readonly rest: readonly string[] }

/** `florin help key` is `florin key --help`, and `florin` alone is `florin serve`. */
export function readInvocation(args: readonly string[]): Invocation {
  const [name = 'serve', ...rest] = args[0] === 'help' ? [...args.slice(1, 2), '--help'] : args
  return { name, rest }
}

/** One command, from its arguments to its exit code. Without settings, it uses this process's environment and .env. */
export async function runCommand({ name, rest }: Invocation, settings?: NodeJS.ProcessEnv): Promise<void> {
  const asksHelp = [name, ...rest].some((word) => word === '--help' || word === '-h')
  if (name.startsWith('-') && asksHelp) return print(overview(catalogue))
  if (name === '--version') return print(`florin ${programVersion()}`)
  if (name.startsWith('-')) return fail(exitUsage, [`Unknown option ${name}. Try: florin --help`])
  const entry = findCommand(catalogue, name)
  if (!entry) return fail(exitUsage, [`Unknown command "${name}". ${meant(name)}Try: florin --help`])
  let asked = 'the database'
  try {
    const command = await entry.load()
    if (asksHelp) return print(command.help)
    const config = settings ? readConfig(settings, '/', printLine) : readConfig()
    asked = databaseName(config)
    await command.run(config, [...rest], lists)
  } catch (error) {
    explain(error, name, asked)
  }
}

function meant(name: string): string {
  const near = closest(name, commandNames(catalogue))
  return near === undefined ? '' : `Did you mean florin ${near}? `
}

/** Mistakes a user can fix are lines; anything else is a bug and shows its stack. */
function explain(thrown: unknown, command: string, database: string): void {
  const error = thrown instanceof FailedWhenAsked ? thrown.cause : thrown
  if (error instanceof ConfigMistakes) return fail(exitConfig, error.lines)
  if (error instanceof Stopped) return fail(error.exitCode, [error.message])
  const code = exitCodeOf(error)
  if (code === undefined) {
    const trouble = databaseTrouble(database, error)
    if (trouble !== undefined) return fail(exitRefused, [trouble])
    return fail(1, [error instanceof Error ? (error.stack ?? error.message) : String(error)])
  }
  const { message } = error as Error
  const advice = error instanceof UsageMistake && error.seeHelp ? `. Try: florin ${command} --help` : ''
  fail(code, [message + advice + whoWasAsked(thrown, message)])
}

/** Nothing if the message already says it, or if no server was asked: a rule is the same everywhere. */
function whoWasAsked(thrown: unknown, message: string): string {
  if (!(thrown instanceof FailedWhenAsked)) return ''
  const isRule = thrown.cause instanceof Refusal && thrown.cause.code === 'validation_failed'
  return isRule || message.includes(thrown.asked.split(' ').at(-1) ?? '') ? '' : ` (asked ${thrown.asked})`
}

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof UsageMistake) return exitUsage
  if (error instanceof SecretsRefused) return exitConfig
  if (error instanceof Refusal) return error.code === 'validation_failed' ? exitUsage : exitRefused
  const isRefused =
    error instanceof BackupRefused ||
    error instanceof DataFolderRefused ||
    error instanceof EmbeddedRefused ||
    error instanceof MigrationRefused ||
    error instanceof PortRefused ||
    error instanceof SpreadRefused ||
    error instanceof PoolerRefused ||
    error instanceof UnsafeDatabase
  return isRefused ? exitRefused : undefined
}

function fail(code: number, lines: readonly string[]): void {
  for (const line of lines) printLine(line)
  standard().exitCode = code
}
