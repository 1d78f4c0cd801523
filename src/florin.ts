import { Socket } from 'node:net'
import { print, UsageMistake } from './commands/arguments.ts'
import { ConfigMistakes, launcherDescriptor, readConfig, type Config } from './config.ts'
import { connectionLost } from './database/connection-lost.ts'
import { DataFolderRefused } from './database/data-folder.ts'
import { UnsafeDatabase } from './database/durability.ts'
import { EmbeddedRefused } from './database/embedded-refused.ts'
import { MigrationRefused } from './database/migrate.ts'
import { DatabaseUnavailable } from './errors/database-unavailable.ts'
import { Refusal } from './errors/refusals.ts'

// The command line. bin/florin installs what is missing and runs this file.

const help = `Florin, a payment service that you run yourself

  florin serve       run the server and the worker (default)
  florin worker      run the background work alone
  florin migrate     bring the database up to date
  florin merchant    create, list and change merchants
  florin key         create, list, roll and revoke keys

  florin listen           forward the notifications of test mode to your own machine
  florin trigger          make a test payment and bring it to its end
  florin webhook-secret   show or roll the secret that notifications are signed with
  florin notifications    list paused receivers and resume them

  florin COMMAND --help says more. Settings are environment variables or lines in .env: see .env.example.`

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
}

const exitUsage = 64
const exitRefused = 69
const exitConfig = 78

await main(process.argv.slice(2))

async function main(args: string[]): Promise<void> {
  watchLauncher()
  const [first = 'serve', ...rest] = args
  const asksHelp = args.includes('--help') || args.includes('-h')
  const load = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (first.startsWith('-') || first === 'help') {
    if (asksHelp || first === 'help') return print(help)
    return fail(exitUsage, [`There is no option ${first}. Try: florin --help`])
  }
  if (!load) return fail(exitUsage, [`There is no command "${first}". Try: florin --help`])
  try {
    const command = await load()
    if (asksHelp) return print(command.help)
    await command.run(readConfig(), rest)
  } catch (error) {
    explain(error)
  }
}

/** Mistakes that a person can mend are lines; anything else is a bug and shows its stack. */
function explain(error: unknown): void {
  if (error instanceof ConfigMistakes) return fail(exitConfig, error.lines)
  if (error instanceof UsageMistake) return fail(exitUsage, [error.message])
  if (
    error instanceof DataFolderRefused ||
    error instanceof EmbeddedRefused ||
    error instanceof MigrationRefused ||
    error instanceof UnsafeDatabase ||
    error instanceof Refusal
  ) {
    return fail(exitRefused, [error.message])
  }
  if (error instanceof DatabaseUnavailable || connectionLost(error)) {
    return fail(exitRefused, [`The database can't be used: ${innermost(error).message}. Check DATABASE_URL.`])
  }
  const { syscall, code, port, address } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
  }
  if (syscall === 'listen') {
    const reason = code === 'EADDRINUSE' ? 'is taken' : `can't be used (${code})`
    return fail(exitRefused, [
      `Port ${port} on ${address} ${reason}. Stop what runs there, or set HOST and PORT to others.`,
    ])
  }
  fail(1, [error instanceof Error ? (error.stack ?? error.message) : String(error)])
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
