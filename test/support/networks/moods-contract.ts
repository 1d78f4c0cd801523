import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { Account, HostedConnector, HostedOrder, RefundOrder } from '../../../src/core/networks/hosted.ts'
import { NoAnswer } from '../../../src/core/networks/no-answer.ts'
import { cert, key } from '../certificate.ts'
import type { OpenPage } from '../hosted-contract.ts'
import { makeOrder, makePage, newRefundKey, withReference } from '../hosted-orders.ts'
import type { OpenOptions } from './open-networks.ts'
import type { Mood, StandIn, TurnOptions } from './stand-in.ts'

// What every connector makes of a network in a bad mood: no answer is thrown and never taken for a no, nothing is made
// or refunded twice, and no error holds a secret.

export type UnderMoods = {
  readonly network: StandIn
  readonly connector: HostedConnector
  readonly account: Account
  readonly now: () => Date
  readonly pay: (opened: OpenPage) => void
  /** How many pages and how many refunds the network has made with this key. */
  readonly pages: (order: HostedOrder) => number
  readonly refunds: (refund: RefundOrder) => number
  /** Whether a 500 is said again to the same key. */
  readonly saves500: boolean
  /** Which calls open a page and ask for a refund. */
  readonly paths: { readonly open: RegExp; readonly refund: RegExp }
  /** It has no list of orders: one whose answer was lost can't be found, and was never shown to anybody. */
  readonly findsNoLost?: true
  /** Pounds unless it says so. */
  readonly currency?: string
  /** It knows no keys of refunds, so that the connector looks for one before it sends it. */
  readonly looksFirst?: true
  /** The network tells the address of a page once. */
  readonly tellsAgain?: false
  readonly close: () => Promise<void>
}

const never = new AbortController().signal

export const noAnswers: Readonly<Record<string, { mood: Mood; acts: boolean }>> = {
  'fails before it acts': { mood: { kind: 'fails', when: 'before' }, acts: false },
  'fails after it acted': { mood: { kind: 'fails', when: 'after' }, acts: true },
  'cuts the connection before it acts': { mood: { kind: 'cuts', when: 'before' }, acts: false },
  'cuts the connection after it acted': { mood: { kind: 'cuts', when: 'after' }, acts: true },
  'stays silent and does not act': { mood: { kind: 'hangs', when: 'before' }, acts: false },
  'stays silent after it acted': { mood: { kind: 'hangs', when: 'after' }, acts: true },
  'is slow': { mood: { kind: 'slow', ms: 60_000 }, acts: true },
  'shows a maintenance page with 503': { mood: { kind: 'maintenance', status: 503 }, acts: false },
  'shows its proxy’s page with 502': { mood: { kind: 'maintenance', status: 502 }, acts: false },
  'shows a maintenance page with 200': { mood: { kind: 'maintenance', status: 200 }, acts: false },
  'is busy': { mood: { kind: 'busy', seconds: 7 }, acts: false },
  'is already working on the same key': { mood: { kind: 'key_in_use' }, acts: false },
}

export function endsWellInEveryMood(
  name: string,
  open: (options?: OpenOptions) => Promise<UnderMoods>,
): void {
  describe(`${name}, when the network`, () => {
    let under: UnderMoods
    before(async () => {
      under = await open()
    })
    after(() => under.close())

    for (const [what, { mood, acts }] of Object.entries(noAnswers)) {
      test(`${what}: opening throws, and the order is ${acts ? '' : 'not '}found afterwards`, async () => {
        await openInMood(under, mood, acts)
      })
      test(`${what}: refunding throws, and the money is refunded once in the end`, async () => {
        await refundInMood(under, mood, acts)
      })
      test(`${what}: looking up and withdrawing throw, and count as no outcome`, async () => {
        await askInMood(under, mood)
      })
    }

    test('refuses to close an open page: no outcome, as it can still be paid', async () => {
      const { connector, account, network } = under
      const order = newOrder(under)
      const opened = await connector.open(account, order, makePage(), never)
      assert.equal(opened.kind, 'open')
      await failure(
        connector.withdraw(account, withReference(order, opened), turn(network, { kind: 'refuses' })),
      )
    })

    for (const kind of ['forbids', 'refuses'] as const) {
      test(`${kind} a refund whose first answer was lost: it is never reported as failed`, async () => {
        await refundThatWasLost(under, { kind })
      })
    }

    test('forbids a refund: no answer, while a refusal with a reason is a failure', async () => {
      const { connector, account, network } = under
      const refund = await paidOrder(under)
      await failure(connector.refund(account, refund, turn(network, { kind: 'forbids' }, refunding(under))))
      const refused = await connector.refund(
        account,
        refund,
        turn(network, { kind: 'refuses' }, refunding(under)),
      )
      assert.equal(refused.kind, 'failed')
      assert.equal(under.refunds(refund), 0)
    })

    test('is busy: the error says how long to wait', async () => {
      void under.network.turn({ kind: 'busy', seconds: 7 })
      const error = await failure(under.connector.open(under.account, newOrder(under), makePage(), never))
      assert.equal(error.retryAfterMs, 7_000)
    })

    test('doesn’t know the credentials: no error or log repeats them', async () => {
      await keepsSecrets(under)
    })
    secureTests(open)
  })
}

function secureTests(open: (options?: OpenOptions) => Promise<UnderMoods>): void {
  test('has an untrusted certificate: no answer, and nothing is sent', async () => {
    const strict = await open({ tls: { key, cert } })
    const error = await failure(strict.connector.open(strict.account, newOrder(strict), makePage(), never))
    assert.match(error.message, /tls_failed/)
    assert.equal(strict.network.requests.length, 0)
    await strict.close()
  })

  test('has a trusted certificate: it is called over TLS', async () => {
    const trusting = await open({ tls: { key, cert }, outbound: { ca: cert } })
    const opened = await trusting.connector.open(trusting.account, newOrder(trusting), makePage(), never)
    assert.equal(opened.kind, 'open')
    await trusting.close()
  })
}

function refunding({ paths }: UnderMoods): TurnOptions {
  return { path: paths.refund, method: 'POST' }
}

/** The signal of a caller who gives up on a network that does not answer, once that has done what it does. */
function turn(network: StandIn, mood: Mood, options: TurnOptions = {}): AbortSignal {
  const patience = new AbortController()
  const isSilent = mood.kind === 'hangs' || mood.kind === 'slow'
  void network.turn(mood, options).then(() => isSilent && patience.abort())
  return patience.signal
}

async function openInMood(under: UnderMoods, mood: Mood, acts: boolean): Promise<void> {
  const { connector, account, network } = under
  const order = newOrder(under)
  const page = makePage()
  const error = await failure(
    connector.open(account, order, page, turn(network, mood, { path: under.paths.open })),
  )
  assert.ok(!holdsSecret(error, account))
  assert.equal(under.pages(order), acts ? 1 : 0)
  const isFound = acts && !under.findsNoLost
  assert.equal((await connector.fetch(account, order, never)).kind, isFound ? 'open' : 'not_found')
  const again = connector.open(account, order, page, never)
  const isLost = acts && under.tellsAgain === false
  if (isLost || (mood.kind === 'fails' && under.saves500)) await assert.rejects(again, NoAnswer)
  else assert.equal((await again).kind, 'open')
  assert.ok(under.pages(order) <= 1, 'one key makes one page')
  const withdrawn = await connector.withdraw(account, order, never)
  const isClosed = under.pages(order) === 1 && !under.findsNoLost
  assert.equal(withdrawn.kind, isClosed ? 'declined' : 'not_found')
}

async function refundInMood(under: UnderMoods, mood: Mood, acts: boolean): Promise<void> {
  const { connector, account, network } = under
  const refund = await paidOrder(under)
  const error = await failure(connector.refund(account, refund, turn(network, mood, refunding(under))))
  assert.ok(!holdsSecret(error, account))
  assert.equal(under.refunds(refund), acts ? 1 : 0)
  const found = await connector.fetchRefund(account, refund, never)
  assert.equal(found.kind !== 'not_found', acts)
  const again = connector.refund(account, refund, never)
  if (mood.kind === 'fails' && under.saves500) await assert.rejects(again, NoAnswer)
  else assert.notEqual((await again).kind, 'failed')
  assert.ok(under.refunds(refund) <= 1, 'one key refunds once')
}

/** The network made it, nobody heard that, and asked again it says no. Told as failed it would be refunded twice. */
async function refundThatWasLost(under: UnderMoods, mood: Mood): Promise<void> {
  const { connector, account, network } = under
  const refund = await paidOrder(under)
  await failure(
    connector.refund(account, refund, turn(network, { kind: 'cuts', when: 'after' }, refunding(under))),
  )
  const again = connector.refund(account, refund, turn(network, mood, refunding(under)))
  if (mood.kind === 'forbids' && under.looksFirst !== true) await failure(again)
  else assert.notEqual((await again).kind, 'failed')
  network.calm()
  const found = await connector.fetchRefund(account, refund, never)
  assert.ok(found.kind === 'submitted' || found.kind === 'succeeded', found.kind)
  assert.equal(under.refunds(refund), 1)
}

async function askInMood(under: UnderMoods, mood: Mood): Promise<void> {
  const { connector, account, network } = under
  const order = newOrder(under)
  const opened = await connector.open(account, order, makePage(), never)
  assert.equal(opened.kind, 'open')
  const known = withReference(order, opened)
  await failure(connector.fetch(account, known, turn(network, mood)))
  await failure(connector.withdraw(account, known, turn(network, mood)))
  const refund = await paidOrder(under)
  await failure(connector.fetchRefund(account, refund, turn(network, mood)))
  await failure(connector.check(account, 'https://pay.example.com/callbacks/x', turn(network, mood)))
}

async function keepsSecrets(under: UnderMoods): Promise<void> {
  const { connector, account } = under
  const order = newOrder(under)
  const opened = await connector.open(account, order, makePage(), never)
  assert.equal(opened.kind, 'open')
  const names = Object.keys(account.credentials)
  const credentials = Object.fromEntries(names.map((each) => [each, `sk_live_c4n4ry_${each}`]))
  const stranger: Account = { ...account, credentials }
  const known = withReference(order, opened)
  const said = [
    await connector.check(stranger, 'https://pay.example.com/callbacks/x', never),
    await connector.open(stranger, order, makePage(), never),
    await failure(connector.open(stranger, known, makePage(), never)),
    await failure(connector.fetch(stranger, known, never)),
    await failure(connector.withdraw(stranger, known, never)),
    await failure(connector.refund(stranger, await paidOrder(under), never)),
  ]
  for (const each of said) assert.ok(!holdsSecret(each, stranger), inspect(each, { depth: 10 }))
}

/** In anything that a log could print: message, stack, cause, and whatever hangs on it. */
function holdsSecret(said: unknown, account: Account): boolean {
  const printed = inspect(said, { depth: 20, showHidden: true }) + JSON.stringify(said)
  return Object.values(account.credentials).some((secret) => printed.includes(secret))
}

async function failure(call: Promise<unknown>): Promise<NoAnswer> {
  const error = await call.then(
    (value) => new Error(`It answered ${inspect(value)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof NoAnswer)) throw error
  return error
}

function newOrder({ connector, now, currency = 'GBP' }: UnderMoods): HostedOrder {
  const [method = 'card'] = connector.methods(currency)
  return { ...makeOrder({ connector, currency, method }), startedAt: now() }
}

async function paidOrder(under: UnderMoods): Promise<RefundOrder> {
  const { connector, account, pay, now } = under
  const order = newOrder(under)
  const opened = await connector.open(account, order, makePage(), never)
  assert.equal(opened.kind, 'open')
  pay(opened)
  await connector.capture?.(account, withReference(order, opened), never)
  const status = await connector.fetch(account, withReference(order, opened), never)
  assert.equal(status.kind, 'charged')
  const { connectorReference, chargeReference } = status
  return {
    ...newRefundKey(),
    merchantId: order.merchantId,
    requestedAt: now(),
    connectorReference,
    chargeReference,
    amountMinor: 500n,
    currency: under.currency ?? 'GBP',
    refundedBeforeMinor: 0n,
    chargedMinor: order.amountMinor,
  }
}
