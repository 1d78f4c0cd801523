import { flushCompileCache } from 'node:module'
import type { App, AppOptions } from '../app.ts'
import { isPooled, type Config } from '../../platform/settings/config.ts'
import { lockDataFolder } from '../../platform/postgres/data-folder.ts'
import type { Database } from '../../platform/database/database.ts'
import { EmbeddedRefused } from '../../platform/postgres/embedded-refused.ts'
import { findRunning, startEmbedded } from '../../platform/postgres/embedded.ts'
import { migrate, MigrationRefused, readMigrations } from '../../platform/database/migrate.ts'
import { refuseWrongSettings } from '../../platform/database/pool/pooler.ts'
import { mayTellOfNoAccount } from '../../platform/database/watch/installation-times.ts'
import { makeLog, type Logger } from '../../platform/http/log.ts'
import { refuseUnsafeStart } from '../../core/merchants/live-needs-durability.ts'
import type { KeyRing } from '../../platform/secrets/key-ring.ts'
import { onlyPerson } from '../../dashboard/people/find-person.ts'
import type { Traces } from '../traces.ts'
import { programVersion } from '../../platform/settings/version.ts'
import type { Worker } from '../../platform/jobs/worker.ts'
import { withNetworks } from '../../cli/connector/networks.ts'
import { checkLive } from '../../cli/merchant/check-live.ts'
import { makeAnnounce, type Announce } from '../../cli/terminal/announce.ts'
import { flag, readArguments } from '../../cli/terminal/arguments.ts'
import { choosePort, openOperatorPort, openPort } from './open-port.ts'
import { listenForStop } from '../../cli/terminal/stopping.ts'
import { hasMerchant, welcome } from './welcome.ts'
import { directUrl } from '../../cli/reach/direct-url.ts'
import { makeStartWait, refuseWrongAddress } from '../../cli/reach/start-wait.ts'
import { lists } from './lists.ts'
import { sealedRooms } from '../rooms.ts'
import { prepareSecrets } from '../../cli/reach/open-key-ring.ts'
import { refuseOtherSchemaAt } from '../../cli/reach/with-database.ts'
import { readNetworksLine } from '../../cli/status/networks-line.ts'

export const serveHelp = `florin serve [--no-worker]

  Runs the server and the worker in one process, on the embedded PostgreSQL of
  DATA_DIR or on DATABASE_URL.

  --no-worker   leave deliveries and other background work to "florin worker",
                on this or another machine`

export const workerHelp = `florin worker

  Runs only the background worker, beside servers started with
  "florin serve --no-worker". Needs DATABASE_URL, or a running server on the
  same DATA_DIR.`

export async function serve(given: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { 'no-worker': { type: 'boolean' } })
  const stopping = listenForStop()
  const config = await choosePort(given)
  const log = makeLog(config.LOG_LEVEL)
  const announce = makeAnnounce(config, log)
  const home = await openDatabase(config, log, announce).catch(async (error: unknown) => {
    // Ctrl-C ends initdb as well; its error would blame PostgreSQL for what the operator did.
    if (error instanceof EmbeddedRefused) await stopping.refuseIfToldSoon()
    stopping.refuseIfTold()
    throw error
  })
  let app: App | undefined
  let worker: Worker | undefined
  try {
    const whenAnswering = makeStartWait(config, announce, stopping)
    const ring = await whenAnswering(async () => {
      await refuseWrongAddress(config)
      await migrate(home.ownerUrl, readMigrations(), announce.progress)
      return readySecrets(config, home.directUrl, log)
    })
    const hasWorker = !flag(parsed, 'no-worker')
    const role = hasWorker ? 'florin server and worker' : 'florin server'
    const opened = await openApp(config, home.url, ring, log, {
      role,
      checkLive: async (keeping, merchantId, how) =>
        withNetworks(config, lists, async (networks) =>
          checkLive(config, keeping, networks, merchantId, how),
        ),
    })
    app = opened
    await whenAnswering(async () => refuseUnfit(opened, config))
    stopping.refuseIfTold()
    await openPort(app.server, config)
    // Another process with the same settings may have been first.
    await openOperators(app, config, announce, config.SHARE_PORT === 'on' || !hasWorker)
    if (hasWorker) worker = app.startWorker()
    home.announce(config.BASE_URL)
    // After the port is open: if it were taken, this start would end here and its keys would never be shown.
    if (home.embedded && !(await hasMerchant(app.db))) await welcome(config, app, announce)
    else await logSignInLink(app.db, log, announce)
    await logNetworks(app.db, log, announce)
    await logWarnings(app, log)
    announce.done(`Florin is ready at ${config.BASE_URL}`)
    // Node writes compiled code only at an orderly end; a server that is killed should start quickly next time as well.
    flushCompileCache()
    await stopping.told
    log.info('Stopping: running requests finish first')
  } finally {
    const finished = await within(config.SHUTDOWN_TIMEOUT_MS, log, async () => {
      // The server first, so that nothing new comes in; then the work that is under way.
      await app?.server.close()
      await worker?.stop()
      await app?.close()
    })
    await home.close()
    if (!finished) exitAnyway()
  }
}

export async function work(config: Config, args: string[]): Promise<void> {
  readArguments(args, {})
  const stopping = listenForStop()
  const log = makeLog(config.LOG_LEVEL)
  const announce = makeAnnounce(config, log)
  const url = config.DATABASE_URL || (await runningDatabase(config))
  const whenAnswering = makeStartWait(config, announce, stopping)
  const direct = directUrl(config) || url
  const ring = await whenAnswering(async () => {
    await refuseWrongAddress(config)
    await refuseOtherSchemaAt(config, direct)
    return readySecrets(config, direct, log)
  })
  const app = await openApp(config, url, ring, log, { role: 'florin worker' })
  let worker: Worker | undefined
  try {
    await whenAnswering(async () => refuseUnfit(app, config))
    // A server of the same settings on this machine has METRICS_PORT already.
    await openOperators(app, config, announce, true)
    worker = app.startWorker()
    await logWarnings(app, log)
    announce.done('Florin worker is ready')
    await stopping.told
  } finally {
    const finished = await within(config.SHUTDOWN_TIMEOUT_MS, log, async () => {
      await worker?.stop()
      await app.close()
    })
    if (!finished) exitAnyway()
  }
}

async function refuseUnfit({ db }: App, config: Config): Promise<void> {
  if (isPooled(config)) await refuseWrongSettings(db)
  await refuseUnsafeStart(db, config.ALLOW_UNSAFE_DATABASE === 'on')
  const { refuseLeftOut } = await import('../left-out.ts')
  await refuseLeftOut(db)
}

/** Loaded here: a start that is refused before, --help and the Tab key do without most of Florin's modules. */
async function openApp(
  config: Config,
  url: string,
  ring: KeyRing,
  log: Logger,
  options: AppOptions & { readonly role: string },
): Promise<App> {
  const { makeApp } = await import('../app.ts')
  return makeApp(config, url, ring, log, { traces: await openTraces(config, options.role), ...options })
}

/** Loaded only when needed. */
async function openTraces(config: Config, role: string): Promise<Traces | undefined> {
  const url = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (url === '') return undefined
  const { makeTraces } = await import('../traces.ts')
  return makeTraces(url, {
    'service.name': 'florin',
    'service.version': programVersion(),
    'florin.role': role,
  })
}

async function openOperators(app: App, config: Config, { done }: Announce, mayMove: boolean): Promise<void> {
  if (!app.operatorServer) return
  const port = await openOperatorPort(app.operatorServer, config, mayMove)
  await app.tellPort(port)
  if (port !== config.METRICS_PORT)
    done(`METRICS_PORT ${config.METRICS_PORT} is in use: this process serves health and metrics on ${port}`)
}

/** Problems that need attention, though everything works. */
async function logWarnings({ readWarnings }: App, log: Logger): Promise<void> {
  try {
    for (const warning of await readWarnings()) log.warn(warning)
  } catch (error) {
    log.warn({ err: error }, 'Could not check for warnings')
  }
}

/** Whoever may run commands on this machine is the first person; a log that others read must not hold the link. */
async function logSignInLink(db: Database, log: Logger, { done }: Announce): Promise<void> {
  try {
    if ((await onlyPerson(db)) === 'nobody' && (await mayTellOfNoAccount(db)))
      done('No one has an account yet. Create the first sign-in link: bin/florin sign-in-link')
  } catch (error) {
    log.warn({ err: error }, 'Could not check whether an account exists')
  }
}

/** Nothing that a start should fail for. */
async function logNetworks(db: Database, log: Logger, { done }: Announce): Promise<void> {
  try {
    const line = await readNetworksLine(db)
    if (line !== undefined) done(`Live payments go through: ${line}`)
  } catch (error) {
    log.warn({ err: error }, 'Could not read the network accounts')
  }
}

async function readySecrets(config: Config, url: string, log: Logger): Promise<KeyRing> {
  const { ring, sealed } = await prepareSecrets(config, url, sealedRooms)
  if (sealed > 0) log.info({ secrets: sealed }, 'Plain-text secrets are now encrypted')
  return ring
}

async function runningDatabase(config: Config): Promise<string> {
  const url = await findRunning(config.DATA_DIR)
  if (url === undefined)
    throw new MigrationRefused('No database is running: set DATABASE_URL, or start florin serve first.')
  return url
}

type DatabaseHandle = {
  readonly url: string
  /** Around a pooler. */
  readonly directUrl: string
  /** As the role that migrates: of an own PostgreSQL the same. */
  readonly ownerUrl: string
  readonly embedded: boolean
  announce(baseUrl: string): void
  close(): Promise<void>
}

async function openDatabase(config: Config, log: Logger, announce: Announce): Promise<DatabaseHandle> {
  const url = config.DATABASE_URL
  if (url) {
    const direct = directUrl(config)
    return {
      url,
      directUrl: direct,
      ownerUrl: direct,
      embedded: false,
      announce: () => {},
      close: async () => {},
    }
  }
  const lock = lockDataFolder(config.DATA_DIR)
  try {
    const embedded = await startEmbedded({
      dataDir: config.DATA_DIR,
      onProgress: announce.progress,
      onCrash: (line) => log.warn(line),
    })
    return {
      url: embedded.applicationUrl,
      directUrl: embedded.applicationUrl,
      ownerUrl: embedded.url,
      embedded: true,
      announce: (baseUrl) => lock.announce(baseUrl),
      async close() {
        await embedded.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function within(limitMs: number, log: Logger, stop: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs)
  })
  const finished = await Promise.race([stop().then(() => true), late])
  clearTimeout(timer)
  if (!finished) log.warn('Some work did not finish in time and was stopped')
  return finished
}

/** Work that was cut off still holds sockets, which keep the process alive. Later, so that an error is printed first. */
function exitAnyway(): void {
  setImmediate(() => process.exit())
}
