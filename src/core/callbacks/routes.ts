import type { FastifyError, FastifyRequest } from 'fastify'
import type { HostedConnector } from '../networks/hosted.ts'
import { NoAnswer } from '../networks/no-answer.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { success } from '../../platform/http/envelope.ts'
import { answerError } from '../../platform/http/error-handler.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { refuseIfWaiting, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { Server } from '../../platform/http/server.ts'
import { networkOf } from '../../platform/input/network-of.ts'
import type { Owner, StoredAccount, StoredAccounts } from '../merchants/accounts/stored-accounts.ts'
import { readSigned, storeHints } from './receive.ts'
import { makeStoreEvents, makeWakeWorkers } from './share-writes.ts'

// POST /callbacks/<connector>/<merchant's number, or installation>: a network tells us what to look up. Nothing touches
// the database until the signature is verified, so a flood of forgeries costs one hash each.

export type CallbackRoutes = {
  readonly db: Database
  readonly accounts: StoredAccounts
  readonly connectors: readonly HostedConnector[]
  /** Forged ones of one address. Signed ones are never refused: a forger may share a proxy with the network. */
  readonly forgedLimit: RateLimit
  readonly metrics: Metrics
  readonly now: () => Date
}

/** 250 events of GoCardless are some 150 KiB. */
export const callbackLimitBytes = 512 * 1024
const tooLarge = 'The request body is larger than 512 KiB'

type Address = { Params: { connector: string; owner: string } }

type CallbackTarget = { readonly connector: HostedConnector; readonly accounts: readonly StoredAccount[] }

export function addCallbacks(server: Server, deps: CallbackRoutes): void {
  const asked = new WeakMap<FastifyRequest, CallbackTarget>()
  const keeping = { store: makeStoreEvents(deps.db), wakeWorkers: makeWakeWorkers(deps.db) }
  const counted = deps.metrics.counter('florin_callbacks_total', 'Callbacks from networks, by result.', {
    connector: deps.connectors.map(({ name }) => name),
    result: ['new', 'repeated', 'refused'],
  })

  function refuseForged(request: FastifyRequest, connector: string): never {
    counted.inc({ connector, result: 'refused' })
    refuseIfWaiting(deps.forgedLimit.take(networkOf(request.ip)))
    throw new Refusal('malformed_body', 'This callback is not for this account')
  }

  void server.register(async (scope) => {
    // A signature is over the bytes as they came, whatever they say they are.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const isLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      answerError(isLarge ? new Refusal('body_too_large', tooLarge) : error, request, reply)
    })
    scope.post<Address>('/callbacks/:connector/:owner', {
      bodyLimit: callbackLimitBytes,
      // Before the body is read: for most guessed addresses it never is.
      async onRequest(request) {
        const connector = deps.connectors.find(({ name }) => name === request.params.connector)
        const owner = readOwner(request.params.owner)
        if (!connector || owner === undefined)
          throw new Refusal('not_found', 'Nothing exists at this URL: see /docs')
        const accounts = await deps.accounts.behindCallback(owner, connector.name)
        if (accounts.length === 0) refuseForged(request, connector.name)
        asked.set(request, { connector, accounts })
      },
      async handler(request) {
        const { connector, accounts } = asked.get(request) as CallbackTarget
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const now = deps.now()
        await prepare(connector, accounts, request.headers)
        const signed = readSigned(connector, accounts, { rawBody, headers: request.headers, now })
        if (!signed) return refuseForged(request, connector.name)
        const fresh = await storeHints(keeping, signed, now)
        counted.inc({ connector: connector.name, result: 'new' }, fresh)
        counted.inc({ connector: connector.name, result: 'repeated' }, signed.hints.length - fresh)
        return success('Received', null)
      },
    })
  })
}

/** Long enough for a certificate, and shorter than networks wait for us. */
const prepareLimitMs = 5_000

/** For a network whose signatures need something of its own. When that can't be had, the callback is not refused as forged: it comes again. */
async function prepare(
  connector: HostedConnector,
  accounts: readonly StoredAccount[],
  headers: FastifyRequest['headers'],
): Promise<void> {
  if (!connector.prepareCallback) return
  const signal = AbortSignal.timeout(prepareLimitMs)
  try {
    for (const account of accounts) await connector.prepareCallback(account, headers, signal)
  } catch (error) {
    if (!(error instanceof NoAnswer) && !signal.aborted) throw error
    throw new Refusal('unavailable', `${connector.label} can't be asked for its certificate; send this again`)
  }
}

function readOwner(text: string): Owner | undefined {
  if (text === 'installation') return text
  return /^[1-9]\d{7}$/.test(text) ? Number(text) : undefined
}
