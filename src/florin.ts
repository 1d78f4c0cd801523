import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { print, UsageMistake } from './commands/arguments.ts'
import { PortRefused } from './commands/open-port.ts'
import { Stopped } from './commands/stopped.ts'
import { ConfigMistakes, launcherDescriptor, readConfig, type Config } from './config.ts'
import { connectionLost } from './database/connection-lost.ts'
import { DataFolderRefused } from './database/data-folder.ts'
import { sqlState } from './database/database.ts'
import { UnsafeDatabase } from './database/durability.ts'
import { EmbeddedRefused } from './database/embedded-refused.ts'
import { MigrationRefused } from './database/migrate.ts'
import { DatabaseUnavailable } from './errors/database-unavailable.ts'
import { Refusal } from './errors/refusals.ts'

// The command line. bin/florin installs what is missing and runs this file.

const help = `Florin, a payment service that you run yourself

  florin serve            run the server and the worker (default)
  florin worker           run the background work alone
  florin migrate          bring the database up to date

  florin merchant         create, list and change merchants
  florin key              create, list, roll and revoke keys
  florin webhook-secret   show or roll the secret that signs notifications
  florin notifications    list paused receivers and resume them
  florin mailbox          read the mail that was not sent, as in test mode

  florin listen           forward test notifications to your own machine
  florin trigger          make a test payment and bring it to its end

  florin COMMAND --help says more; florin --version says which Florin this is.
  Settings are environment variables or lines in .env: see .env.example.`

type Command = { readonly help: string; run(config: Config, args: string[]): Promise<void> }

// Loaded when they are asked for: `florin key create` need not wait for the server's packages.
const commands: Record<string, () => Promise<Command>> = {
  async serve() {
    const { serve, serveHelp } = await import('./commands/serve.ts')
    return { help: serveHelp, run: serve }
  },
  async worker() {
    const { work, workerHelp } = await import('./commands/serve.ts')
    return { help: workerHelp, run: work }
  },
  async migrate() {
    const { migrateHelp, runMigrations } = await import('./commands/migrate.ts')
    return { help: migrateHelp, run: runMigrations }
  },
  async merchant() {
    const { merchant, merchantHelp } = await import('./commands/merchant.ts')
    return { help: merchantHelp, run: merchant }
  },
  async key() {
    const { key, keyHelp } = await import('./commands/key.ts')
    return { help: keyHelp, run: key }
  },
  async listen() {
    const { listenHelp, listenToNotifications } = await import('./commands/listen.ts')
    return { help: listenHelp, run: listenToNotifications }
  },
  async trigger() {
    const { trigger, triggerHelp } = await import('./commands/trigger.ts')
    return { help: triggerHelp, run: trigger }
  },
  async 'webhook-secret'() {
    const { webhookSecret, webhookSecretHelp } = await import('./commands/webhook-secret.ts')
    return { help: webhookSecretHelp, run: webhookSecret }
  },
  async notifications() {
    const { notifications, notificationsHelp } = await import('./commands/notifications.ts')
    return { help: notificationsHelp, run: notifications }
  },
  async mailbox() {
    const { mailbox, mailboxHelp } = await import('./commands/mailbox.ts')
    return { help: mailboxHelp, run: mailbox }
  },
}

const exitUsage = 64
const exitRefused = 69
const exitConfig = 78
const insufficientPrivilege = '42501'

await main(process.argv.slice(2))

async function main(args: string[]): Promise<void> {
  watchLauncher()
  dropDriverAdvice()
  const [first = 'serve', ...rest] = args[0] === 'help' ? [...args.slice(1, 2), '--help'] : args
  endWithReader(first)
  const asksHelp = [first, ...rest].some((word) => word === '--help' || word === '-h')
  if (first.startsWith('-') && asksHelp) return print(help)
  if (first === '--version') return print(version())
  if (first.startsWith('-')) return fail(exitUsage, [`There is no option ${first}. Try: florin --help`])
  const load = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!load) return fail(exitUsage, [`There is no command "${first}". Try: florin --help`])
  try {
    const command = await load()
    if (asksHelp) return print(command.help)
    await command.run(readConfig(), rest)
  } catch (error) {
    explain(error, first)
  }
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  const found = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }
  return `${found.name} ${found.version}`
}

/** Mistakes that a person can mend are lines; anything else is a bug and shows its stack. */
function explain(error: unknown, command: string): void {
  if (error instanceof ConfigMistakes) return fail(exitConfig, error.lines)
  if (error instanceof UsageMistake) {
    return fail(exitUsage, [
      error.seeHelp ? `${error.message}. Try: florin ${command} --help` : error.message,
    ])
  }
  if (error instanceof Stopped) return fail(error.exitCode, [error.message])
  if (error instanceof Refusal && error.code === 'validation_failed') return fail(exitUsage, [error.message])
  if (
    error instanceof DataFolderRefused ||
    error instanceof EmbeddedRefused ||
    error instanceof MigrationRefused ||
    error instanceof PortRefused ||
    error instanceof UnsafeDatabase ||
    error instanceof Refusal
  ) {
    return fail(exitRefused, [error.message])
  }
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return fail(exitRefused, [trouble])
  fail(1, [error instanceof Error ? (error.stack ?? error.message) : String(error)])
}

function databaseTrouble(error: unknown): string | undefined {
  const { message } = innermost(error)
  if (sqlState(error) === insufficientPrivilege) {
    const example = 'grant usage, create on schema public to florin'
    return `The database can't be used: ${message}. Grant its role what it lacks, such as: ${example}`
  }
  const isAway = error instanceof DatabaseUnavailable || connectionLost(error) !== undefined
  // pg and Node tell what is wrong with TLS by sentence only.
  const isTls = /\bSSL\b|\bTLS\b|certificate/.test(message)
  if (!isAway && !isTls) return undefined
  const advice = message.includes('certificate') ? ' sslmode=no-verify takes any certificate.' : ''
  return `The database can't be used: ${message}. Check DATABASE_URL.${advice}`
}

/** What really happened; a name with several addresses fails with one error for each. */
function innermost(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0])
  if (error instanceof DatabaseUnavailable && error.cause !== undefined) return innermost(error.cause)
  return error as Error
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
