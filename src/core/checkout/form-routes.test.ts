import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import fastify from 'fastify'
import { plainText } from '../../../test/support/fields-in.ts'
import { form as formWith, signed as signedWith, type Fields } from '../../../test/support/form-shop.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { send, type Answered } from '../../../test/support/scripted-checkout.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database } from '../../platform/database/database.ts'
import { styleFile } from '../../../test/support/page-model.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Logger } from '../../platform/http/log.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { makeNoteAnswer } from '../../platform/http/note-answer.ts'
import type { Server } from '../../platform/http/server.ts'
import { readMerchant, type Caller, type Merchant } from '../merchants/authenticate.ts'
import type { FreshKey } from '../merchants/change-keys.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { sealFormSecret } from '../merchants/form-secret.ts'
import { listFormRefusals } from '../payments/api/form-refusals.ts'
import type { PaymentRequest } from '../payments/api/read-payment.ts'
import { addForm, type FormRoutes } from './form-routes.ts'

let home: TestDatabase
let db: Database
let merchant: Merchant
const servers: Server[] = []

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  const found = await readMerchant(db, await createMerchant(db, { name: 'Corner shop', liveEnabled: true }))
  assert.ok(found)
  merchant = found
})
afterEach(async () => Promise.all(servers.splice(0).map(async (server) => server.close())))
after(async () => {
  await db.close()
  await home.drop()
})

const formSecret = 'fsec_of_the_shop'

/** Whose key it is, by its name. */
function callerOf(name = ''): Caller {
  const bounds = { hosts: ['shop.example'], showsTitle: true } as unknown as NonNullable<Caller['bounds']>
  const same = {
    merchant,
    keyId: `key_${name}`,
    keyName: name,
    sealedFormSecret: undefined,
    exposed: false,
    mayRefund: false,
    dialect: 'florin',
  } as const
  const form = { ...same, kind: 'form', mode: 'test', bounds } as const
  const secret = { ...same, kind: 'secret', mode: 'test', bounds: undefined } as const
  const callers: Readonly<Record<string, Caller>> = {
    form,
    secret,
    live: { ...form, mode: 'live' },
    switched_off: { ...secret, merchant: { ...merchant, formsTakeSecretKeys: false } },
    signed: {
      ...form,
      sealedFormSecret: sealFormSecret(testSecrets, merchant.id, form.keyId, formSecret),
    },
  }
  const caller = callers[name]
  if (!caller) throw new Refusal('unauthorized', 'No such key')
  return caller
}

type Log = { readonly level: number; readonly code?: string; readonly merchant_id?: number }
const checkoutUrl = 'https://pay.example/florin/payment/1'

/** The form's address, what was asked for, who was noted, and what the operator hears. */
function open(changes: Partial<FormRoutes> = {}) {
  const log: unknown[] = []
  const created: [keyId: string, payment: PaymentRequest, how: unknown][] = []
  const noted: unknown[] = []
  const taken: string[] = []
  const write = (line: string): void => {
    const { level, code, merchant_id: of } = JSON.parse(line) as Log
    log.push([level, code, of])
  }
  const server = fastify({ logger: { level: 'warn', stream: { write } } }) as unknown as Server
  servers.push(server)
  const note = makeNoteAnswer(
    {
      log: { isLevelEnabled: () => false } as unknown as Logger,
      metrics: { requests: { observe: () => {} } } as unknown as Metrics,
      onAnswer: (_request, _reply, caller) => void noted.push(caller),
    },
    '/ext_transfer',
  )
  server.addHook('onResponse', note)
  addForm(server, {
    db,
    secrets: testSecrets,
    baseUrl: 'https://pay.example/florin',
    styleFile,
    now: () => new Date('2026-11-15T14:00:00Z'),
    networkTakes: async () => undefined,
    formLimit: { take: (name: string) => void taken.push(name) },
    authenticator: {
      formKey: async (text: string | undefined) => callerOf(text),
      refused: (error: unknown) => error,
    },
    createPayment: async ({ keyId }: Caller, payment: PaymentRequest, how: unknown) => {
      created.push([keyId, payment, how])
      return { url: checkoutUrl }
    },
    ...changes,
  } as unknown as FormRoutes)
  return { server, log, created, noted, taken }
}

const form = (changes: Fields = {}): Fields => formWith({ key: 'form' }, changes)
const signed = (changes: Fields = {}): Fields =>
  signedWith({ key: 'signed', formSecret } as FreshKey, changes)

async function post(server: Server, fields: Fields, accept = 'text/html'): Promise<Answered> {
  return send(server, '/ext_transfer', { form: fields, headers: { accept } })
}

function sealedIn({ body }: Answered): string | undefined {
  return /name="sealed" value="([\w-]+)"/.exec(body)?.[1]
}

/** What the customer may put right, as it was typed. */
function correctable({ body }: Answered): Record<string, string> | undefined {
  const inputs = body.matchAll(/<input\s+id="(\w+)"\s+name="\w+"\s+value="([^"]*)"/g)
  return body.includes('name="sealed"')
    ? Object.fromEntries(Array.from(inputs, ([, name = '', value = '']) => [name, plainText(value)]))
    : undefined
}

async function told(txRef: string | undefined, mode: 'test' | 'live' = 'test') {
  const listed = await listFormRefusals(db, { merchantId: merchant.id, mode })
  return listed.filter(({ tx_ref }) => tx_ref === txRef).map(({ code, errors }) => [code, errors])
}

test('a valid form creates a payment, counts for its key and address, and identifies the merchant', async () => {
  const { server, created, noted, taken, log } = open()
  const fields = form()
  const answer = await post(server, fields)
  assert.deepEqual([answer.status, answer.location], [303, checkoutUrl])
  const [[keyId, payment, how] = []] = created
  const started = [keyId, how, payment?.txRef, payment?.amountMinor]
  assert.deepEqual(started, ['key_form', { type: 'Form' }, fields['tx_ref'], 2_000n])
  assert.deepEqual(taken, ['key_form 127.0.0.1'])
  assert.deepEqual(noted, [{ keyId: 'key_form', merchantId: merchant.id, mode: 'test' }])
  assert.deepEqual(log, [])
})

test('a form its key doesn’t allow is refused, and the refusal still names the merchant', async () => {
  const { server, created, noted } = open()
  const other = signed()
  for (const fields of [
    form({ secret_key: 'signed' }),
    { ...other, amount: '0.01' },
    form({ secret_key: 'switched_off' }),
  ])
    assert.ok([400, 401].includes((await post(server, fields)).status))
  assert.deepEqual(created, [])
  assert.equal(noted.length, 3)
  assert.equal((await post(server, form({ secret_key: 'unknown' }))).status, 401)
  assert.equal(noted.length, 3, 'nobody is known by it')
  for (const fields of [other, form({ secret_key: 'secret' })])
    assert.equal((await post(server, fields)).status, 303)
})

test('customers can correct their own details if nothing else is wrong and the shop didn’t sign them', async () => {
  const { server } = open()
  const wrong = async (fields: Fields) => correctable(await post(server, fields))
  assert.deepEqual(await wrong(form({ email: ' ada@ ', first_name: '' })), { email: 'ada@', first_name: '' })
  assert.deepEqual(await wrong(signed({ email: 'ada@' })), { email: 'ada@' })
  for (const fields of [
    form({ amount: 'much' }),
    form({ amount: 'much', email: 'ada@' }),
    signed({ email: 'ada@', form_signed: 'email' }),
    signed({ email: 'ada@', first_name: '', form_signed: 'email' }),
    form({ email: 'ada@', secret_key: 'unknown' }),
    form({ email: 'ada@', more: 'x'.repeat(41 * 1024) }),
  ])
    assert.equal(await wrong(fields), undefined, JSON.stringify(fields).slice(0, 200))
})

test('beside a sealed form only the customer’s own details count, never what the shop signed', async () => {
  const { server, created } = open()
  const fields = signed({ email: 'ada@', form_signed: 'first_name', last_name: 'Lovelace' })
  const sealed = sealedIn(await post(server, fields)) ?? ''
  const more = { first_name: 'Eve', amount: '0.01', tx_ref: 'another' }
  assert.equal((await post(server, { sealed, email: 'ada@example.com', ...more })).status, 303)
  const [[, payment] = []] = created
  assert.deepEqual(
    [payment?.txRef, payment?.amountMinor, payment?.email, payment?.firstName, payment?.lastName],
    [fields['tx_ref'], 2_000n, 'ada@example.com', 'Ada', 'Lovelace'],
  )
  const fresh = form({ sealed })
  await post(server, fresh)
  assert.equal(created[1]?.[1].txRef, fresh['tx_ref'], 'a form with a key is one of its own')
  assert.equal((await post(server, { sealed: sealed.slice(4), email: 'ada@example.com' })).status, 403)
})

test('the return link goes only to hosts allowed for the shop’s key', async () => {
  const { server } = open()
  const back = async (return_url: string, secret_key = 'form') => {
    const { body } = await post(server, form({ amount: 'much', return_url, secret_key }))
    return /<a class="plain button" href="([^"]*)"/.exec(body)?.[1]
  }
  assert.equal(await back(' https://shop.example/thanks?a=1 '), 'https://shop.example')
  assert.equal(await back('https://evil.example/'), undefined)
  assert.equal(await back('https://other.example/x', 'secret'), 'https://other.example')
  for (const odd of ['', ' ', 'nonsense', 'javascript:alert(1)'])
    for (const key of ['form', 'secret']) assert.equal(await back(odd, key), undefined, odd)
  assert.equal(await back('https://shop.example/', 'unknown'), undefined)
})

test('a refused form shows the shop’s page, says if it is a test, and answers programs with JSON', async () => {
  const { server } = open()
  const look = async (secret_key: string) => {
    const { status, body, headers } = await post(server, form({ amount: 'much', secret_key }))
    assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/pay\.example;/)
    return [
      status,
      headers['content-language'],
      body.includes('Corner shop'),
      /class="test-banner"/.test(body),
    ]
  }
  assert.deepEqual(await look('form'), [400, 'en', true, true])
  assert.deepEqual(await look('live'), [400, 'en', true, false])
  assert.deepEqual(await look('unknown'), [401, 'en', false, false])
  const asked = await post(server, form({ amount: 'much' }), 'application/json')
  const { code, errors } = JSON.parse(asked.body) as { code: string; errors: object }
  assert.deepEqual([asked.status, code, Object.keys(errors)], [400, 'validation_failed', ['amount']])
  const plain = { form: form(), headers: { 'content-type': 'text/plain' } }
  const strange = await send(server, '/ext_transfer', plain)
  assert.deepEqual([strange.status, strange.headers['content-type']], [415, 'text/html; charset=utf-8'])
})

test('merchants and operators hear only of problems they can fix', async () => {
  const { server, log } = open()
  const fields = form({ amount: 'much' })
  await post(server, fields)
  assert.deepEqual(await told(fields['tx_ref']), [
    ['validation_failed', { amount: ['amount must be a plain decimal number such as 1000.50'] }],
  ])
  assert.deepEqual(await told(fields['tx_ref'], 'live'), [])
  await post(server, form({ secret_key: 'unknown' }))
  const refused = [40, 'validation_failed', merchant.id]
  assert.deepEqual(log, [refused, [40, 'unauthorized', undefined]])

  const busy = open({ formLimit: { take: () => 5 } as unknown as FormRoutes['formLimit'] })
  const waits = await post(busy.server, fields)
  assert.deepEqual([waits.status, waits.headers['retry-after'], busy.log], [429, '5', []])

  for (const [error, status, level] of [
    [new Error('a bug'), 500, 50],
    [new Refusal('unavailable'), 503, 40],
  ] as const) {
    const broken = open({ createPayment: async () => Promise.reject(error) })
    const good = form()
    assert.equal((await post(broken.server, good)).status, status)
    assert.deepEqual([broken.log, await told(good['tx_ref'])], [[[level, undefined, undefined]], []])
  }
  const unwritten = open({
    db: { query: async () => Promise.reject(new Error('away')) } as unknown as Database,
  })
  assert.equal((await post(unwritten.server, form({ amount: 'much' }))).status, 400)
  assert.deepEqual(unwritten.log, [refused, [40, undefined, undefined]])
})

test('a resent form links to the payment it created, and only that isn’t reported to the shop', async () => {
  const again = async (refusal: Refusal, email = 'ada@example.com') => {
    const asked: unknown[] = []
    const fields = form()
    const { server, log } = open({
      createPayment: async () => Promise.reject(refusal),
      findPayment: async (...question: unknown[]) => {
        asked.push(question)
        const sent = { first_name: 'Ada', last_name: 'Lovelace', currency: 'GBP', amount_minor: 2_000n }
        return { ...sent, email, state: 'pending', merchant_id: merchant.id, number: '7'.repeat(24) }
      },
    } as unknown as Partial<FormRoutes>)
    const { status, body } = await post(server, fields)
    const leads = body.includes(`href="https://pay.example/florin/payment/${merchant.id}${'7'.repeat(24)}"`)
    const codes = (await told(fields['tx_ref'])).map(([code]) => code)
    return { status, leads, asked: asked.length, logged: log.length, told: codes }
  }
  const taken = new Refusal('tx_ref_taken')
  assert.deepEqual(await again(taken), { status: 409, leads: true, asked: 1, logged: 0, told: [] })
  const notTheirs = { status: 409, leads: false, asked: 1, logged: 1, told: ['tx_ref_taken'] }
  assert.deepEqual(await again(taken, 'eve@example.com'), notTheirs)
  assert.equal((await again(new Refusal('merchant_suspended'))).asked, 0)
})
