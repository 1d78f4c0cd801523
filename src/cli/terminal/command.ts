import type { Config } from '../../platform/settings/config.ts'
import type { NotificationEvent } from '../../core/notifications/events.ts'
import type { Recount } from '../../core/payments/slots/recount.ts'
import type { Rooms as PersonalRooms } from '../../core/privacy/customers.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SealedRows } from '../../platform/secrets/reseal.ts'
import type { MakeNetworks } from '../connector/networks.ts'

export type Command = {
  readonly help: string
  run(config: Config, args: string[], lists: Lists): Promise<void>
}

/** What all modules have of a kind. Loaded when a command asks: `florin key list` calls no network. */
export type Lists = {
  /** The networks of live mode. */
  readonly networks: () => Promise<MakeNetworks>
  /** Everything in the database that says who a customer is. Refused where a module is left out that has rows there. */
  readonly personal: (db: Database) => Promise<PersonalRooms>
  /** Everything in the database that is encrypted. Refused as above. */
  readonly sealed: (db: Database) => Promise<readonly SealedRows<unknown>[]>
  /** What merchants can be notified of. */
  readonly events: () => Promise<readonly NotificationEvent[]>
  /** Besides payments. */
  readonly recounts: () => Promise<readonly Recount[]>
}

/** Loaded when it is asked for: `florin key create` need not wait for the server's packages. */
export type Entry = { readonly name: string; readonly summary: string; load(): Promise<Command> }

/** Groups of commands, in the order of the help. */
export type Catalogue = readonly { readonly title: string; readonly commands: readonly Entry[] }[]

export function findCommand(catalogue: Catalogue, name: string): Entry | undefined {
  return catalogue.flatMap(({ commands }) => commands).find((entry) => entry.name === name)
}

export function commandNames(catalogue: Catalogue): string[] {
  return catalogue.flatMap(({ commands }) => commands.map(({ name }) => name))
}

/** The help of every command, by its name. */
export async function readHelps(catalogue: Catalogue): Promise<Map<string, string>> {
  const entries = catalogue.flatMap(({ commands }) => commands)
  return new Map(
    await Promise.all(
      entries.map(async (entry): Promise<[string, string]> => [entry.name, (await entry.load()).help]),
    ),
  )
}

export function overview(catalogue: Catalogue): string {
  const groups = catalogue.map(({ title, commands }) => {
    const lines = commands.map(({ name, summary }) => `  florin ${name.padEnd(16)} ${summary}`)
    return `${title}\n${lines.join('\n')}`
  })
  return `Florin, a payment service that you run yourself

${groups.join('\n\n')}

florin COMMAND --help says more; florin --version says which Florin this is.
Commands that take --mode mean test mode when it is left out. --json prints what
a program can read. Settings are environment variables or lines in .env: see
.env.example.`
}
