import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Checked, Hint, HostedConnector, Movement } from '../../src/core/networks/hosted.ts'

// A network that does what a test says: for what is about accounts and callbacks, and not about any one network.

export type FakeNetwork = HostedConnector & {
  /** What it says of an account whose key begins with `good`. */
  checked: Checked
  movements(): AsyncIterable<Movement>
  booked: Movement[]
  /** Where it was told to call. */
  readonly endpoints: string[]
}

export const fakeSecret = 'signing-secret-of-the-account'
const toleranceMs = 300_000

export function makeFakeNetwork(name = 'fake'): FakeNetwork {
  const endpoints: string[] = []
  const network: FakeNetwork = {
    kind: 'hosted',
    name,
    label: 'Fakepay',
    mode: 'live',
    credentials: [
      { name: 'secretKey', label: 'Secret key' },
      { name: 'signingSecret', label: 'Signing secret', optional: true },
    ],
    checked: { kind: 'works', accountName: 'Corner shop (fk_1)', sandbox: false, callbacks: 'missing' },
    booked: [],
    endpoints,
    isSandbox: ({ secretKey = '' }) => secretKey.includes('sandbox'),
    methods: () => ['card'],
    limits: () => ({ least: 1n, most: 99_999_999n }),
    async check({ credentials }) {
      const isGood = credentials['secretKey']?.startsWith('good') === true
      if (!isGood) return { kind: 'refused', why: 'it does not know this secret key' }
      const { checked } = network
      if (checked.kind !== 'works') return checked
      const callbacks = credentials['signingSecret'] === undefined ? checked.callbacks : 'set_up'
      return { ...checked, callbacks, sandbox: network.isSandbox(credentials) }
    },
    async setUpCallback(_, callbackUrl) {
      endpoints.push(callbackUrl)
      return { signingSecret: fakeSecret }
    },
    open: async () => ({ kind: 'refused', why: 'nobody pays here' }),
    fetch: async () => ({ kind: 'not_found' }),
    withdraw: async () => ({ kind: 'not_found' }),
    refund: async () => ({ kind: 'not_found' }),
    fetchRefund: async () => ({ kind: 'not_found' }),
    readCallback({ credentials }, rawBody, headers, now) {
      const secret = credentials['signingSecret']
      const [, at = '', given = ''] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['fake-signature'])) ?? []
      if (secret === undefined || Math.abs(now.getTime() - Number(at)) > toleranceMs) return undefined
      const wanted = signatureOf(secret, at, rawBody)
      if (given.length !== wanted.length || !timingSafeEqual(Buffer.from(given), Buffer.from(wanted)))
        return undefined
      return JSON.parse(rawBody.toString()) as Hint[]
    },
    // oxlint-disable-next-line require-await -- a network would be asked page by page
    async *movements() {
      yield* network.booked
    },
  }
  return network
}

/** A callback as the network sends it. */
export function signedCallback(
  hints: readonly Hint[],
  { secret = fakeSecret, now = new Date() } = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(hints)
  const at = String(now.getTime())
  const signature = `t=${at},v1=${signatureOf(secret, at, Buffer.from(body))}`
  return { body, headers: { 'content-type': 'application/json', 'fake-signature': signature } }
}

function signatureOf(secret: string, at: string, rawBody: Buffer): string {
  return createHmac('sha256', secret).update(`${at}.`).update(rawBody).digest('hex')
}
