import type { IncomingMessage, ServerResponse } from 'node:http'
import { revokeKey, createKey } from '../src/core/merchants/change-keys.ts'
import { webhookSecrets } from '../src/core/notifications/ipn/webhook-secrets.ts'
import { freePort } from '../test/support/free-port.ts'
import { openHouse, type House } from '../test/support/house.ts'
import { openReceiver, type Receiver } from '../test/support/receiver.ts'
import { startServerProcess, type ServerProcess } from '../test/support/server-process.ts'
import { cert, key } from '../test/support/certificate.ts'
import { cards } from '../test/support/till.ts'

// What happens to a client in a shop: customers pay, notifications arrive, the server is killed and comes back, keys are revoked. Both
// clients are tried on the same days.

export type Delivered = {
  readonly body: string
  readonly headers: Record<string, string>
  readonly secret: string
}

export type ShopDay = {
  readonly house: House
  readonly receiver: Receiver
  /** The customer pays with the good card of the test network. */
  pay(checkoutUrl: string): Promise<void>
  /** The notification that arrives next. */
  delivered(): Promise<Delivered>
  /** A key that worked a moment ago. */
  revokedKey(): Promise<string>
  close(): Promise<void>
}

export async function openShopDay(): Promise<ShopDay> {
  const house = await openHouse()
  const receiver = await openReceiver()
  const worker = house.app.startWorker()
  let read = 0
  return {
    house,
    receiver,
    async pay(checkoutUrl) {
      const digits = checkoutUrl.slice(-32)
      const payment = {
        merchantId: Number(digits.slice(0, 8)),
        number: digits.slice(8),
        mode: 'test',
      } as const
      const { kind } = await house.app.payer.pay(payment, cards.good)
      if (kind !== 'paid') throw new Error(`The payment is ${kind}`)
    },
    async delivered() {
      read += 1
      const { body, headers } = (await receiver.first(read)).at(-1) ?? { body: '', headers: {} }
      const [secret] = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
      return { body, headers, secret: secret?.secret ?? '' }
    },
    async revokedKey() {
      const made = await createKey(house.db, house.merchantId, { kind: 'secret', mode: 'test', name: 'lost' })
      await revokeKey(house.db, house.merchantId, made.id)
      return made.key
    },
    async close() {
      await worker.stop()
      await receiver.close()
      await house.close()
    },
  }
}

/** A server of its own that can be killed with -9. */
export async function startKillable(
  house: House,
): Promise<{ url: string; kill(): Promise<void>; restart(): Promise<void> }> {
  const settings = { PORT: String(await freePort()) }
  let server: ServerProcess = await startServerProcess(house.databaseUrl, settings)
  return {
    url: server.url,
    kill: async () => server.stop('SIGKILL'),
    async restart() {
      if (server.child.exitCode === null && server.child.signalCode === null) return
      server = await startServerProcess(house.databaseUrl, settings)
    },
  }
}

/** Addresses that speak https in a way no client may accept: `plain` has no TLS, `unknown` a certificate that nobody vouches for. */
export async function openWrongTls(house: House) {
  const unknown = await openReceiver(undefined, { key, cert })
  return { plain: house.url.replace('http:', 'https:'), unknown }
}

/** Answers with headers, half a body, and the end of the connection: a server that was killed while it spoke. */
export async function openBreaking(house: House, times: number): Promise<Receiver> {
  let left = times
  return openReceiver((request, response, { body }) => {
    if (left > 0) {
      left -= 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"status":', () => response.destroy())
      return
    }
    void passOn(house, request, response, body)
  })
}

async function passOn(
  house: House,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const answer = await fetch(`${house.url}${(request.url ?? '').replace(/^\/ipn/, '')}`, {
    method: request.method ?? 'GET',
    headers: { authorization: String(request.headers.authorization) },
    ...(body !== '' && { body }),
  })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}
