import { isOwnMachine, type Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  pauseEndpoint,
  resumeEndpoint,
} from '../../core/notifications/endpoints/change-endpoints.ts'
import { rollEndpointSecret } from '../../core/notifications/endpoints/endpoint-secrets.ts'
import {
  findEndpoint,
  listEndpoints,
  type Endpoint,
} from '../../core/notifications/endpoints/find-endpoints.ts'
import { readEndpoint, readEndpointChanges } from '../../core/notifications/endpoints/read-endpoint.ts'
import { testEndpoint } from '../../core/notifications/endpoints/test-endpoint.ts'
import { makeOpenStored } from '../../core/notifications/ipn/stored-secret.ts'
import { defaultEvent, namesOf } from '../../core/notifications/events.ts'
import { makeOutbox } from '../../core/notifications/outbox.ts'
import { describeTry } from '../../core/notifications/describe-try.ts'
import { makeOutbound } from '../../platform/outbound/outbound.ts'
import { byCommandLine } from '../reach/who.ts'
import { whose } from '../reach/whose.ts'
import { withSecrets } from '../reach/with-database.ts'
import {
  flag,
  modeOption,
  oneOf,
  overlap,
  readArguments,
  text,
  UsageMistake,
  type Parsed,
} from '../terminal/arguments.ts'
import type { Lists } from '../terminal/command.ts'
import { confirmed } from '../terminal/confirmed.ts'
import { accent, print, printFacts, printTable } from '../terminal/print.ts'
import { minuteOf } from '../terminal/times.ts'

export const endpointHelp = `florin endpoint create URL [--events EVENT,…] [--description TEXT]
                       [--mode test|live] [--json]
florin endpoint list [--mode test|live] [--json]
florin endpoint show ID [--mode test|live] [--json]
florin endpoint change ID [--url URL] [--events EVENT,…|all]
                       [--description TEXT] [--mode test|live] [--json]
florin endpoint pause ID [--mode test|live] [--json]
florin endpoint resume ID [--mode test|live] [--json]
florin endpoint roll ID [--overlap HOURS] [--mode test|live] [--json]
florin endpoint test ID [--event EVENT] [--mode test|live] [--json]
florin endpoint delete ID [--yes] [--mode test|live] [--json]

  An endpoint gets notifications about every payment of its mode, with or
  without a callback_url. Up to ten per mode, each with its own secret: create
  and roll print only the secret, and only once. While an endpoint is paused its
  notifications wait. test sends a sample and prints the result.

  --events        such as payment.success,payment.refunded; default: all
  --description   your own note, shown in the list
  --event         the event of the sample (payment.success)
  --overlap       for how many hours the old secret stays valid, 0 to 72 (24)
  --mode          test|live (test)
  --yes           delete without asking
  --merchant      the merchant's number; not needed while there is only one`

type SecretStore = { readonly db: Database; readonly secrets: Secrets }
type EndpointContext = SecretStore & { readonly merchantId: number; readonly mode: Mode }

const common = { merchant: { type: 'string' }, mode: { type: 'string' }, json: { type: 'boolean' } } as const
const fields = { events: { type: 'string' }, description: { type: 'string' } } as const

const verbs: Readonly<Record<string, (config: Config, args: string[], lists: Lists) => Promise<void>>> = {
  create,
  list,
  show,
  change,
  pause: async (config, args) =>
    act(config, args, pauseEndpoint, 'is paused: notifications wait until you resume it'),
  resume: async (config, args) =>
    act(config, args, resumeEndpoint, 'is resumed: sending the waiting notifications now'),
  roll,
  test: sendTest,
  delete: remove,
}

export async function endpoint(config: Config, args: string[], lists: Lists): Promise<void> {
  const [verb = '', ...rest] = args
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!run) throw new UsageMistake(`Name a subcommand: florin endpoint ${Object.keys(verbs).join(', ')}`)
  return run(config, rest, lists)
}

async function at<T>(
  config: Config,
  parsed: Parsed,
  work: (place: EndpointContext) => Promise<T>,
): Promise<T> {
  const mode = modeOption(parsed)
  return withSecrets(config, async (keeping) =>
    work({ ...keeping, merchantId: await whose(keeping.db, parsed), mode }),
  )
}

function idOf(parsed: Parsed): string {
  const [id] = parsed.words
  if (id === undefined) throw new UsageMistake('Name an endpoint: an ID from florin endpoint list')
  return id
}

const named = ({ merchantId, mode }: EndpointContext, id: string) => ({ merchantId, mode, id })

async function create(config: Config, args: string[], lists: Lists): Promise<void> {
  const parsed = readArguments(args, { ...common, ...fields }, 1)
  const [url] = parsed.words
  if (url === undefined) throw new UsageMistake('Give the URL, such as https://shop.example.com/hooks')
  const request = readEndpoint(
    { ...fieldsIn(parsed), url },
    modeOption(parsed),
    namesOf(await lists.events()),
  )
  const made = await at(config, parsed, async (place) =>
    createEndpoint({ ...place, outbox: makeOutbox() }, place, request, byCommandLine()),
  )
  print(flag(parsed, 'json') ? JSON.stringify(made) : made.secret)
}

/** `all` is for changing back to all. */
function fieldsIn(parsed: Parsed): Record<string, unknown> {
  const events = text(parsed, 'events')
  const description = text(parsed, 'description')
  return {
    ...(events !== undefined && {
      events: events === 'all' ? ['*'] : events.split(',').map((name) => name.trim()),
    }),
    ...(description !== undefined && { description }),
  }
}

async function list(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common)
  const endpoints = await at(config, parsed, async (place) => listEndpoints(place.db, place))
  if (flag(parsed, 'json')) return print(JSON.stringify(endpoints))
  printTable(
    ['ID', 'STATUS', 'URL', 'EVENTS', 'DESCRIPTION'],
    endpoints.map((one) => [one.id, one.status, one.url ?? '', eventsOf(one), one.description]),
    { empty: `No endpoints in ${modeOption(parsed)} mode. Create one: florin endpoint create URL` },
  )
}

function eventsOf({ events }: Endpoint): string {
  return events.includes('*') ? 'all' : events.join(',')
}

async function show(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common, 1)
  const id = idOf(parsed)
  printEndpoint(parsed, await at(config, parsed, async (place) => findEndpoint(place.db, named(place, id))))
}

function printEndpoint(parsed: Parsed, one: Endpoint): void {
  if (flag(parsed, 'json')) return print(JSON.stringify(one))
  printFacts({
    id: one.id,
    url: one.url ?? undefined,
    status: one.status === 'active' ? one.status : accent(one.status),
    events: eventsOf(one),
    description: one.description === '' ? undefined : one.description,
    'failing since': one.failing_since === null ? undefined : minuteOf(one.failing_since),
    paused: one.paused_at === null ? undefined : minuteOf(one.paused_at),
    created: minuteOf(one.created_at),
  })
}

async function change(config: Config, args: string[], lists: Lists): Promise<void> {
  const parsed = readArguments(args, { ...common, ...fields, url: { type: 'string' } }, 1)
  const id = idOf(parsed)
  const url = text(parsed, 'url')
  const asked = { ...fieldsIn(parsed), ...(url !== undefined && { url }) }
  if (Object.keys(asked).length === 0)
    throw new UsageMistake('Name a setting to change: --url, --events or --description')
  const changes = readEndpointChanges(asked, modeOption(parsed), namesOf(await lists.events()))
  const changed = await at(config, parsed, async (place) =>
    changeEndpoint({ ...place, outbox: makeOutbox() }, named(place, id), changes, byCommandLine()),
  )
  printEndpoint(parsed, changed)
}

async function act(config: Config, args: string[], verb: typeof resumeEndpoint, said: string): Promise<void> {
  const parsed = readArguments(args, common, 1)
  const id = idOf(parsed)
  const done = await at(config, parsed, async (place) =>
    verb({ ...place, outbox: makeOutbox() }, named(place, id), byCommandLine(), new Date()),
  )
  print(flag(parsed, 'json') ? JSON.stringify(done) : `${done.url ?? id} ${said}`)
}

async function roll(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, overlap: { type: 'string' } }, 1)
  const id = idOf(parsed)
  const hours = overlap(parsed)
  const secret = await at(config, parsed, async (place) =>
    rollEndpointSecret(place, named(place, id), hours, byCommandLine()),
  )
  print(flag(parsed, 'json') ? JSON.stringify({ id, secret }) : secret)
}

async function sendTest(config: Config, args: string[], lists: Lists): Promise<void> {
  const parsed = readArguments(args, { ...common, event: { type: 'string' } }, 1)
  const id = idOf(parsed)
  const events = await lists.events()
  const name = oneOf('event', text(parsed, 'event') ?? defaultEvent, namesOf(events))
  const sent = await at(config, parsed, async (place) => {
    const outbound = makeOutbound()
    const sender = {
      ...place,
      openStored: makeOpenStored(place.secrets),
      outbound,
      allowLocal: isOwnMachine(config),
      baseUrl: config.BASE_URL,
      now: () => new Date(),
    }
    const transactionJson = events.find((event) => event.name === name)?.sample(place.mode) ?? ''
    try {
      return await testEndpoint(sender, named(place, id), {
        event: name,
        transactionJson,
        by: byCommandLine(),
      })
    } finally {
      await outbound.close()
    }
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(sent))
  print(
    `${sent.delivered ? 'Received' : 'Not received'}: ${describeTry({ status: sent.http_status, error: sent.error }).what}, after ${sent.ms} ms`,
  )
}

async function remove(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, yes: { type: 'boolean' } }, 1)
  const id = idOf(parsed)
  await at(config, parsed, async (place) => {
    const { url } = await findEndpoint(place.db, named(place, id))
    await confirmed(parsed, `Delete the endpoint ${url ?? id}? Its waiting notifications will not be sent.`)
    await deleteEndpoint(place.db, named(place, id), byCommandLine())
  })
  print(flag(parsed, 'json') ? JSON.stringify({ id, deleted: true }) : `${id} is deleted`)
}
