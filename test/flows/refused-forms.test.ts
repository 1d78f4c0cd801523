import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { languages } from '../../src/core/checkout/language.ts'
import { createKey, revokeKey } from '../../src/core/merchants/change-keys.ts'
import { asRead } from '../support/as-read.ts'
import { call, openHouse, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { waitUntil } from '../support/wait-until.ts'

// What becomes of a web form that can't start a payment: for the customer, and for the merchant.

let house: House
let time = new Date('2026-11-15T12:00:00Z')

before(async () => {
  house = await openHouse({ world: { now: () => time } })
})
after(() => house.close())

type Fields = Record<string, string>
type Listed = {
  code: string
  message: string
  errors: object | null
  tx_ref: string | null
  request_id: string
}

function form(changes: Fields = {}): Fields {
  return { secret_key: house.secretKey, ...(paymentRequest() as Fields), ...changes }
}

async function send(fields: Fields, language = 'en', path = '/ext_transfer'): Promise<Answer> {
  return call(house.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      'accept-language': language,
    },
  })
}

function sealedIn({ text }: Answer): string {
  return /name="sealed" value="([\w-]+)"/.exec(text)?.[1] ?? ''
}

async function refusals(key = house.secretKey): Promise<Listed[]> {
  const answer = await call(`${house.url}/api/form-refusals?limit=100`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}

test('a customer corrects an e-mail address and a name in place, and the rest of the form is kept', async () => {
  const fields = form({ email: 'ada@', first_name: ' ', 'meta[cart]': '7', amount: '12.50' })
  const refused = await send(fields)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Check your details/)
  assert.match(refused.text, /name="email"\s+value="ada@"/)
  assert.match(refused.text, /Enter your first name/)
  assert.doesNotMatch(refused.text, /name="last_name"|not your mistake|For the shop/)
  assert.ok(!refused.text.includes(house.secretKey), 'no key stands in the page')

  const again = await send({ sealed: sealedIn(refused), email: 'ada@example', first_name: 'Ada' })
  assert.equal(again.status, 400)
  assert.doesNotMatch(again.text, /name="first_name"/)

  const good = await send({ sealed: sealedIn(again), email: 'ada@example.com' })
  assert.equal(good.status, 303, good.text)
  const { json } = await call(`${house.url}/api/transaction/${fields['tx_ref']}`, { key: house.secretKey })
  const { email, first_name, amount, meta, type } = json.data as Record<string, unknown>
  assert.deepEqual(
    [email, first_name, amount, meta, type],
    ['ada@example.com', 'Ada', '12.50', { cart: '7' }, 'Form'],
  )
})

test('a customer who typed a card number as a name is told to remove it, and doesn’t see it again', async () => {
  const fields = form({ first_name: '4242 4242 4242 4242', email: '5555555555554444@example.com' })
  const refused = await send(fields)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Leave out the card number: we(’|&#8217;)ll ask for it on the next page/)
  assert.doesNotMatch(refused.text, /4242 4242|5555555555554444/)
  const good = await send({ sealed: sealedIn(refused), first_name: 'Ada', email: 'ada@example.com' })
  assert.equal(good.status, 303, good.text)
  const [told] = await refusals()
  assert.doesNotMatch(JSON.stringify(told), /\b4242\b|\b5555/)
  const { text } = await send(form({ last_name: '4242424242424242' }), 'de')
  assert.ok(asRead(text).includes('Lassen Sie die Kartennummer weg'))
})

test('beside a sealed form only the customer’s own details count', async () => {
  const fields = form({ email: 'x' })
  const sealed = sealedIn(await send(fields))
  const good = await send({
    sealed,
    email: 'ada@example.com',
    amount: '0.01',
    tx_ref: 'another',
    currency: 'EUR',
  })
  assert.equal(good.status, 303)
  const { json } = await call(`${house.url}/api/transaction/${fields['tx_ref']}`, { key: house.secretKey })
  assert.equal((json.data as Fields)['amount'], '1,234.50')
})

test('a changed, forged or half-hour-old seal opens nothing', async () => {
  const sealed = sealedIn(await send(form({ email: 'x' })))
  const middle = sealed.length >> 1
  const changed = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`
  for (const bad of [changed, sealed.slice(0, -2), 'AAAA', '', 'x'.repeat(100)]) {
    const answer = await send({ sealed: bad, email: 'ada@example.com' })
    assert.equal(answer.status, 403, bad)
    assert.match(answer.text, /This page was open too long/)
  }
  time = new Date(time.getTime() + 29 * 60_000)
  assert.equal((await send({ sealed, email: 'still wrong' })).status, 400)
  time = new Date(time.getTime() + 60_000)
  assert.equal((await send({ sealed, email: 'ada@example.com' })).status, 403)
})

test('a key revoked in the meantime is refused in a sealed form too', async () => {
  const { key, id } = await createKey(house.db, house.merchantId, {
    kind: 'secret',
    mode: 'test',
    name: 'old',
  })
  const sealed = sealedIn(await send(form({ secret_key: key, email: 'x' })))
  await revokeKey(house.db, house.merchantId, id)
  await waitUntil(
    'the server heard of it',
    async () => (await send({ sealed, email: 'still wrong' })).status === 401,
  )
  assert.equal((await send({ sealed, email: 'ada@example.com' })).status, 401)
})

test('customers aren’t asked to fix what they can’t', async () => {
  for (const changes of [
    { email: 'x', amount: '-1' },
    { tx_ref: '' },
    { email: 'x', meta: `{"a":"${'x'.repeat(50_000)}"}` },
  ]) {
    const answer = await send(form(changes))
    assert.equal(answer.status, 400)
    assert.equal(sealedIn(answer), '')
    assert.match(answer.text, /not your mistake/)
  }
})

test('the page uses the customer’s language, and the rule keeps the developer’s wording', async () => {
  for (const { code, direction, words } of languages) {
    const shop = await send(form({ amount: '1,0' }), code)
    assert.equal(shop.headers.get('content-language'), code)
    assert.ok(shop.text.includes(`<html lang="${code}" dir="${direction}">`))
    assert.ok(asRead(shop.text).includes(words.formTitle), code)
    assert.match(shop.text, /<code>amount must be a plain decimal number such as 1000\.50<\/code>/)
    const own = await send(form({ first_name: '' }), 'nl', `/ext_transfer?lang=${code}`)
    assert.ok(asRead(own.text).includes(words.firstNameMissing), code)
    assert.ok(own.text.includes(`action="/ext_transfer?lang=${code}"`))
    const stranger = await send({ secret_key: 'unknown' }, code)
    assert.ok(asRead(stranger.text).includes(words.formUnknownShopFault), code)
  }
})

test('the merchant finds refused forms in a list and in the log, without the customer’s input', async () => {
  const fields = form({ amount: '-1', email: 'secret.person@', tx_ref: 'told-of' })
  const refused = await send(fields)
  const [newest] = await refusals()
  assert.deepEqual(newest, {
    created_at: (newest as unknown as { created_at: string }).created_at,
    code: 'validation_failed',
    message: 'amount must be a plain decimal number such as 1000.50',
    errors: {
      amount: ['amount must be a plain decimal number such as 1000.50'],
      email: ['email must be one valid e-mail address'],
    },
    tx_ref: 'told-of',
    request_id: refused.headers.get('x-request-id'),
  })
  const line = house
    .log()
    .split('\n')
    .find((each) => each.includes('A form was refused') && each.includes(newest?.request_id ?? ''))
  const logged = JSON.parse(line ?? '{}') as Record<string, unknown>
  assert.equal(logged['merchant_id'], house.merchantId)
  assert.equal(logged['rule'], newest?.message)
  assert.doesNotMatch(house.log() + JSON.stringify(await refusals()), /secret\.person/)
  assert.deepEqual(await refusals(house.liveKey), [], 'the other mode has its own')
})

test('forms sent twice, or with an unknown key, aren’t listed', async () => {
  const count = (await refusals()).length
  const fields = form()
  await send(fields)
  assert.equal((await send(fields)).status, 409)
  await send(form({ secret_key: 'sk_test_unknown' }))
  assert.equal((await refusals()).length, count)
  await send({ ...fields, amount: '7' })
  assert.equal(
    (await refusals())[0]?.code,
    'tx_ref_taken',
    'a tx_ref of another order is a mistake of the shop',
  )
  await send(form({ tx_ref: 'bad\u0000one', amount: 'x' }))
  assert.equal((await refusals())[0]?.tx_ref, null)
})

test('only the newest hundred refused forms are kept', async () => {
  await house.db.query(sql`
    insert into form_refusals (merchant_id, mode, at, request_id, code, message)
    select ${house.merchantId}::integer, 'test', now() - n * interval '1 second', 'req_' || n, 'validation_failed', 'old'
    from generate_series(1, 150) as n`)
  await send(form({ amount: 'x' }))
  const listed = await refusals()
  assert.equal(listed.length, 100)
  assert.match(listed[0]?.message ?? '', /amount must be/)
  const rows = await house.db.query<{ count: number }>(sql`
    select count(*)::integer as count from form_refusals where merchant_id = ${house.merchantId} and mode = 'test'`)
  assert.equal(rows[0]?.count, 100)
  const unknown = await call(`${house.url}/api/form-refusals?page=2`, { key: house.secretKey })
  assert.equal(unknown.json.message, 'page is not a known parameter, use limit, cursor')
})

test('the page has no link for a return_url we wouldn’t send a customer to', async () => {
  for (const return_url of ['', ' ', 'thanks', 'javascript:alert(1)', 'https://me:secret@shop.example.com']) {
    const answer = await send(form({ amount: '-1', return_url }))
    assert.equal(answer.status, 400, return_url)
    assert.doesNotMatch(answer.text, /Return to Corner shop|javascript:|secret@/, return_url)
  }
})

test('a program with a secret key learns the result of a used tx_ref, and one with a form key doesn’t', async () => {
  const fields = form()
  const url = (await send(fields)).headers.get('location') ?? ''
  const json = async (secret_key: string): Promise<unknown> => {
    const answer = await call(`${house.url}/ext_transfer`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, secret_key }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    })
    return [answer.json.code, answer.json.existing]
  }
  assert.deepEqual(await json(house.secretKey), ['tx_ref_taken', { status: 'pending', checkout_url: url }])
  const bounds = { hosts: ['shop.example.com'] }
  const { key } = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'page',
    bounds,
  })
  assert.deepEqual(await json(key), ['tx_ref_taken', undefined])
})
