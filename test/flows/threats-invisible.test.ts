import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asRead } from '../support/as-read.ts'
import { newLink, putInState } from '../support/customer.ts'
import { freePort } from '../support/free-port.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { runFlorin } from '../support/run-florin.ts'
import { readPdf } from '../support/read-pdf.ts'

// The threat table, the row of characters that nobody sees: they turn text around, or make two texts look like one.

let house: House
before(async () => {
  const port = String(await freePort())
  house = await openHouse({ settings: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } })
})
after(() => house.close())

const unseen = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/
const customer = { first_name: 'Ada\u202e', last_name: 'Love\u200blace\u2069\u2067' }
const looks = { title: 'Sho\u202ees\u2069', description: 'Two\u2060 \u202dpairs' }
const txRef = 'order\u202e-\u200b1\u2069'

test('pages, mail, PDF and terminal show text without invisible characters, and programs get it as sent', async () => {
  const link = await newLink(house, { ...customer, tx_ref: txRef, customization: looks })
  for (const state of ['pending', 'failed', 'expired', 'success'] as const) {
    await putInState(house, link, state)
    // The one of our own keeps a masked address on one line.
    const page = asRead((await call(`${link.url}?lang=en`)).text).replaceAll('\u2026\u2060', '\u2026')
    assert.doesNotMatch(page, unseen, state)
    assert.match(page, /<bdi>order-1<\/bdi>/, state)
  }
  const pdf = await fetch(`${link.url}/receipt.pdf`)
  const { texts } = readPdf(Buffer.from(await pdf.arrayBuffer()))
  assert.ok(texts.includes('Ada Lovelace') && texts.includes('order-1'), texts.join(' | '))

  await putInState(house, link, 'pending')
  await happens(house, { merchantId: house.merchantId, number: link.digits.slice(8) }, 'paid')
  const [mail] = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
  assert.match(mail?.text ?? '', /order-1/)
  assert.doesNotMatch(`${mail?.subject}${mail?.text}${asRead(mail?.html ?? '')}`, unseen)

  const read = await call(`${house.url}/api/transaction/${encodeURIComponent(txRef)}`, {
    key: house.secretKey,
  })
  const { tx_ref, first_name, last_name } = read.json.data as Record<string, string>
  assert.deepEqual({ tx_ref, first_name, last_name }, { tx_ref: txRef, ...customer })
})

test('the terminal escapes invisible characters, so that no line is reversed and no two look alike', async () => {
  const ref = 'shop\u202e-\u200b2'
  await newLink(house, { ...customer, tx_ref: ref })
  const settings = { BASE_URL: house.url, FLORIN_KEY: house.secretKey }
  for (const args of [['list'], ['show', ref]]) {
    const { out, err } = await runFlorin(['payments', ...args], settings)
    assert.doesNotMatch(out, unseen, err)
    assert.match(out, /shop\\u202e-\\u200b2/)
  }
})

test('an e-mail address with invisible characters is refused: no e-mail would arrive', async () => {
  for (const email of [
    'ada\u200b@example.com',
    'ada@exam\u202eple.com',
    'a\u00add@example.com',
    'a@b\ufeff.de',
  ]) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest({ email }), house.secretKey)
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json.errors, { email: ['email must be one valid e-mail address'] })
  }
})
