import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { renderSVG } from 'uqr'
import { type ModelChanges, styleFile } from '../../../test/support/page-model.ts'
import {
  digits,
  key,
  scriptCheckout,
  send,
  type Answered,
  type Script,
  type Sent,
} from '../../../test/support/scripted-checkout.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Server } from '../../platform/http/server.ts'
import { plainBrand } from '../merchants/brand/brand.ts'
import { attemptsMax } from '../payments/attempts/apply-outcome.ts'
import { script as pageScript } from './assets/assets.ts'
import type { Checkout } from './checkout.ts'
import { addCheckout } from './routes.ts'
import { makeSign, makeTokens } from './token.ts'

const home = `/payment/${digits}`
const card = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '737', name: 'Ada Lovelace' }

// All that the checkout reads by itself: the secret that its tokens are made of.
const secret = { name: 'checkout', secret: Buffer.alloc(32, 1), sealed: null }
const db = { query: async () => [secret] } as unknown as Database
const tokenOf = makeTokens(makeSign(db, testSecrets))

const servers: Server[] = []
after(async () => Promise.all(servers.map(async (server) => server.close())))

type Log = { readonly level: number; readonly msg: string }

/** A whole checkout in which the payer says what the script says. */
function open(script: Script = {}) {
  const { checkout, asked } = scriptCheckout({
    ...script,
    checkout: {
      db,
      secrets: testSecrets,
      findMerchant: async (id: number) => ({ id, name: 'Corner shop', brand: plainBrand }),
      ...script.checkout,
    } as unknown as Partial<Checkout>,
  })
  const log: Log[] = []
  const stream = { write: (line: string) => void log.push(JSON.parse(line) as Log) }
  const server = fastify({ logger: { level: 'warn', stream } }) as unknown as Server
  servers.push(server)
  addCheckout(server, checkout)
  return { server, asked, log }
}

/** Sends a form as the page of a test payment would. */
async function post(
  server: Server,
  verb: string,
  fields: Readonly<Record<string, string>>,
  headers: NonNullable<Sent['headers']> = {},
): Promise<Answered> {
  const form = { token: await tokenOf(digits, 'test'), ...fields }
  return send(server, `${home}${verb}`, { form, headers })
}

function ledTo({ status, location }: Answered): unknown {
  return [status, location]
}

test('every part of the checkout has its route', async () => {
  const { server } = open({
    checkout: { pictures: { byId: async () => ({ type: 'image/png', bytes: Buffer.from('x') }) } } as never,
  })
  const at = async (url: string): Promise<unknown> => {
    const { status, headers } = await send(server, url)
    return [status, String(headers['content-type']).split(';')[0]]
  }
  assert.deepEqual(await at(home), [200, 'text/html'])
  assert.deepEqual(await at(`${home}/state`), [200, 'application/json'])
  assert.deepEqual(await at(pageScript.path), [200, 'text/javascript'])
  assert.deepEqual(await at('/checkout.js'), [200, 'text/javascript'])
  assert.deepEqual(await at(styleFile.path), [200, 'text/css'])
  assert.deepEqual(await at(`/logo/12345678/${'a'.repeat(32)}`), [200, 'image/png'])
  for (const verb of ['pay', 'challenge', 'cancel', 'choose', 'receipt'])
    assert.deepEqual(ledTo(await send(server, `${home}/${verb}`)), [303, home], verb)
  assert.deepEqual(await at('/payment/nothing/deep/down'), [404, 'text/html'])
  assert.deepEqual(await at('/payment/nothing/deep/down'), [429, 'text/html'], 'who guesses has to wait')
})

test('browsers cache the current stylesheet for a year, and no other version of it', async () => {
  const { server } = open()
  const page = await send(server, home)
  assert.ok(page.body.includes(`<link rel="stylesheet" href="${styleFile.path}">`))
  assert.doesNotMatch(page.body, /<style/)
  const now = await send(server, styleFile.path)
  assert.equal(now.headers['cache-control'], 'public, max-age=31536000, immutable')
  const other = await send(server, '/checkout/of-another-version.css')
  assert.deepEqual([other.body, other.headers['cache-control']], [now.body, 'no-store'])
})

test('the state call returns the screen, everything that may change and the form token', async () => {
  const { server } = open({ payment: { attempt: { attempt: 2, state: 'declined' } } })
  const { body } = await send(server, `${home}/state`)
  const token = await tokenOf(digits, 'test')
  assert.deepEqual(JSON.parse(body), { screen: 'pay', stage: 'pay 2 declined', next: home, token })
})

test('a URL with stray characters leads to the payment, below Florin’s base path', async () => {
  const { server } = open({ checkout: { baseUrl: 'https://pay.example/florin/' } })
  assert.deepEqual(ledTo(await send(server, `${home}).?lang=de`)), [302, `/florin${home}?lang=de`])
  assert.equal((await send(server, `${home}.`, { form: {} })).status, 404, 'a post is led nowhere')
})

test('the QR code for the phone holds the payment’s URL', async () => {
  const { server } = open()
  const { body, headers } = await send(server, `${home}/qr.svg`)
  assert.equal(body, renderSVG(`https://pay.example${home}`, { ecc: 'M', border: 4 }))
  assert.equal(headers['content-type'], 'image/svg+xml')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
})

test('a correct form charges the card, in the page’s language, and the payment shows the result', async () => {
  const paid = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2034, cvc: '737' }
  for (const kind of ['paid', 'declined', 'action_required', 'in_flight', 'closed', 'unavailable']) {
    const { server, asked } = open({ answers: { pay: { kind } } })
    assert.deepEqual(ledTo(await post(server, '/pay', card)), [303, home], kind)
    const wish = [{ ...key, mode: 'test' }, paid]
    assert.deepEqual(asked, [['pay', ...wish, undefined, { address: '127.0.0.1' }, false]])
    assert.deepEqual(ledTo(await post(server, '/pay?lang=de', card)), [303, `${home}?lang=de`])
    assert.deepEqual(asked[1], ['pay', ...wish, 'de', { address: '127.0.0.1' }, false])
  }
})

test('after a charge the customer returns to the shop if the form says so, and a script gets the URL', async () => {
  const back = { ...card, takes_back: '1' }
  const json = { accept: 'application/json' }
  for (const [kind, fields, next] of [
    ['paid', back, `${home}/done`],
    ['paid', card, home],
    ['declined', back, home],
    ['in_flight', back, home],
  ] as const) {
    const { server } = open({ answers: { pay: { kind } } })
    assert.deepEqual(ledTo(await post(server, '/pay', fields)), [303, next], kind)
    const { status, body } = await post(server, '/pay', fields, json)
    assert.deepEqual([status, JSON.parse(body)], [200, { next }], kind)
  }
})

test('an approved 3-D Secure page leads back to the shop', async () => {
  const payment = { return_url: 'https://shop.example/' }
  const answered = async (kind: string, of: ModelChanges = payment): Promise<unknown> => {
    const { server } = open({ payment: of, answers: { answerChallenge: { kind } } })
    return ledTo(await post(server, '/challenge', { attempt: '1', answer: 'approve' }))
  }
  assert.deepEqual(await answered('paid'), [303, `${home}/done`])
  assert.deepEqual(await answered('declined'), [303, home])
  assert.deepEqual(await answered('paid', {}), [303, home])
})

test('an invalid or non-test card gets the form again with the mistake, unless the payment is already over', async () => {
  const mistakes = async (fields: object, payment: ModelChanges = {}) => {
    const { server, asked } = open({ payment, answers: { pay: { kind: 'refused_card' } } })
    const { status, location, body } = await post(server, '/pay', { ...card, ...fields })
    const wrong = Array.from(body.matchAll(/id="(\w+)-error"[^>]*>([^<]+)/g), (match) => match[1])
    return { status, location, wrong, tries: asked.length }
  }
  const again = { status: 400, location: undefined }
  assert.deepEqual(await mistakes({ cvc: '' }), { ...again, wrong: ['cvc'], tries: 0 })
  assert.deepEqual(await mistakes({}), { ...again, wrong: ['number'], tries: 1 })
  const over = { status: 303, location: home, wrong: [] }
  assert.deepEqual(await mistakes({ cvc: '' }, { state: 'success' }), { ...over, tries: 0 })
  assert.deepEqual(await mistakes({}, { state: 'success' }), { ...over, tries: 1 })
})

test('no card is read without the token of a test payment', async () => {
  const { server, asked } = open({ payment: { mode: 'live' }, answers: { pay: { kind: 'paid' } } })
  for (const token of ['', 'none', await tokenOf('1'.repeat(32), 'test')])
    assert.equal((await post(server, '/pay', { ...card, token })).status, 403, token)
  const live = await post(server, '/pay', { ...card, token: await tokenOf(digits, 'live') })
  assert.deepEqual(ledTo(live), [303, home])
  assert.deepEqual(asked, [])
})

test('rate-limited customers are told to wait, and the operator hears of a proxy that merges them', async () => {
  const wait = { kind: 'wait', until: new Date('2026-11-15T14:06:30Z') }
  const { server, log } = open({ answers: { pay: wait } })
  const answer = await post(server, '/pay', card)
  assert.deepEqual([answer.status, answer.headers['retry-after']], [429, '30'])
  assert.match(answer.body, /value="Ada Lovelace"/, 'what may be shown again is')
  assert.deepEqual(log, [])
  await post(server, '/pay', card, { 'x-forwarded-for': '198.51.100.4' })
  assert.match(log.map(({ msg }) => msg).join(), /TRUSTED_PROXIES/)
})

test('the error page shows the shop’s name if the merchant is known', async () => {
  const broken = async (findMerchant?: Checkout['findMerchant']): Promise<string> => {
    const { server } = open({
      answers: { pay: new Error('a bug') },
      ...(findMerchant && { checkout: { findMerchant } }),
    })
    const { status, body } = await post(server, '/pay', card)
    assert.equal(status, 500)
    return body
  }
  assert.match(await broken(), /Corner shop/)
  assert.doesNotMatch(await broken(async () => undefined), /Corner shop/)
})

test('the 3-D Secure answer goes to its own attempt, and malformed ones are ignored', async () => {
  const answered = async (attempt: string, answer?: string): Promise<unknown> => {
    const { server, asked } = open({ answers: { answerChallenge: { kind: 'declined' } } })
    const sent = await post(server, '/challenge', { attempt, ...(answer !== undefined && { answer }) })
    assert.deepEqual(ledTo(sent), [303, home])
    return asked
  }
  for (const attempt of [1, attemptsMax]) {
    for (const word of ['approve', 'refuse'])
      assert.deepEqual(await answered(String(attempt), word), [['answerChallenge', key, attempt, word]])
    assert.deepEqual(await answered(String(attempt), 'other_card'), [['giveUpChallenge', key, attempt]])
  }
  for (const attempt of ['0', '-1', '1.5', `${attemptsMax + 1}`, '99999999999', 'x', ''])
    assert.deepEqual(await answered(attempt, 'approve'), [], attempt)
  for (const word of ['', 'perhaps', undefined]) assert.deepEqual(await answered('1', word), [])
  const { server, asked } = open()
  const strange = await post(server, '/challenge', { token: 'none', attempt: '1', answer: 'approve' })
  assert.deepEqual([strange.status, asked], [403, []])
})

test('customers can cancel only from our page, and a payment paid in the meantime is no error', async () => {
  const cancel = async (answer?: Error, fields: Readonly<Record<string, string>> = {}) => {
    const { server, asked } = open({ answers: { cancel: answer } })
    return { answer: ledTo(await post(server, '/cancel', fields)), asked }
  }
  const asked = [['cancel', key, 'customer']]
  assert.deepEqual(await cancel(), { answer: [303, home], asked })
  assert.deepEqual(await cancel(new Refusal('not_cancellable')), { answer: [303, home], asked })
  assert.deepEqual(await cancel(new Refusal('unavailable')), { answer: [503, undefined], asked })
  assert.deepEqual(await cancel(new Error('a bug')), { answer: [500, undefined], asked })
  assert.deepEqual(await cancel(undefined, { token: 'none' }), { answer: [403, undefined], asked: [] })
})
