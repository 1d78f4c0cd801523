import { Socket } from 'node:net'
import { findCommand, overview } from './commands/catalogue.ts'
import { PortRefused } from './commands/open-port.ts'
import { databaseName, FailedWhenAsked } from './commands/reach/asked.ts'
import { databaseTrouble } from './commands/reach/database-trouble.ts'
import { Stopped } from './commands/stopped.ts'
import { UsageMistake } from './commands/terminal/arguments.ts'
import { print } from './commands/terminal/print.ts'
import { launcherDescriptor, readConfig } from './config.ts'
import { ConfigMistakes } from './settings/kinds.ts'
import { BackupRefused } from './database/backup/backup-refused.ts'
import { SpreadRefused } from './database/cluster/spread.ts'
import { DataFolderRefused } from './database/data-folder.ts'
import { UnsafeDatabase } from './database/durability.ts'
import { EmbeddedRefused } from './database/embedded-refused.ts'
import { MigrationRefused } from './database/migrate.ts'
import { Refusal } from './errors/refusals.ts'
import { SecretsRefused } from './merchants/sealed/secrets-refused.ts'
import { programVersion } from './version.ts'

// The command line. bin/florin installs what is missing and runs this file.

const exitUsage = 64
const exitRefused = 69
const exitConfig = 78

await main(process.argv.slice(2))

async function main(args: string[]): Promise<void> {
  watchLauncher()
  dropDriverAdvice()
  const [first = 'serve', ...rest] = args[0] === 'help' ? [...args.slice(1, 2), '--help'] : args
  endWithReader(first)
  const asksHelp = [first, ...rest].some((word) => word === '--help' || word === '-h')
  if (first.startsWith('-') && asksHelp) return print(overview())
  if (first === '--version') return print(`florin ${programVersion()}`)
  if (first.startsWith('-')) return fail(exitUsage, [`There is no option ${first}. Try: florin --help`])
  const entry = findCommand(first)
  if (!entry) return fail(exitUsage, [`There is no command "${first}". Try: florin --help`])
  let asked = 'the database'
  try {
    const command = await entry.load()
    if (asksHelp) return print(command.help)
    const config = readConfig()
    asked = databaseName(config)
    await command.run(config, rest)
  } catch (error) {
    explain(error, first, asked)
  }
}

/** Mistakes that a person can mend are lines; anything else is a bug and shows its stack. */
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

/** Nothing where the message says it already, or where nobody was asked: a rule is the same everywhere. */
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
    error instanceof UnsafeDatabase
  return isRefused ? exitRefused : undefined
}

function fail(code: number, lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = code
}

/** `florin key list | head -1`: who read has seen enough. A server goes on, whoever reads what it prints. */
function endWithReader(command: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (command !== 'serve' && command !== 'worker') process.exit()
  })
}

/** Eight lines of pg at every start with sslmode=require, about what a later pg would do. Ours is pinned. */
function dropDriverAdvice(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (!warning.message.startsWith('SECURITY WARNING: The SSL modes'))
      for (const tell of listeners) tell(warning)
  })
}

/** bin/florin holds the other end; when it is killed, the server must not stay behind alone. */
function watchLauncher(): void {
  const descriptor = launcherDescriptor()
  if (descriptor === undefined) return
  const launcher = new Socket({ fd: descriptor })
  launcher.on('close', () => process.emit('SIGTERM'))
  launcher.on('error', () => launcher.destroy())
  launcher.resume()
  launcher.unref()
}
