import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { newLink, putInState } from '../support/customer.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { waitUntil } from '../support/wait-until.ts'
import { readPdf } from '../support/read-pdf.ts'

// What a payment is for, line by line, wherever it is shown.

let house: House

before(async () => {
  house = await openHouse()
})
after(async () => house.close())

const chairs = { name: 'Oak chair', quantity: 2, unit_amount: '45.00', tax_rate: '20' }
const book = { name: 'A book', quantity: 1, unit_amount: 15, tax_rate: 0 }
const discount = { name: 'Ten off', unit_amount: '-5.00', tax_rate: '20.00' }
const basket = { amount: '100.00', items: [chairs, book, discount], invoice_number: 'INV-7' }

async function refusal(changes: Record<string, unknown>): Promise<string> {
  const answer = await post(`${house.url}/api/payment`, paymentRequest(changes), house.secretKey)
  return answer.status === 201 ? 'taken' : answer.json.message
}

test('the look-up returns the items, and no items field without any', async () => {
  const link = await newLink(house, basket)
  const { json } = await call(`${house.url}/api/transaction/${link.txRef}`, { key: house.secretKey })
  const data = json.data as Record<string, unknown>
  assert.deepEqual(data['items'], [
    { name: 'Oak chair', quantity: 2, unit_amount: '45.00', unit_amount_minor: 4500, tax_rate: '20' },
    { name: 'A book', quantity: 1, unit_amount: '15.00', unit_amount_minor: 1500, tax_rate: '0' },
    { name: 'Ten off', quantity: 1, unit_amount: '-5.00', unit_amount_minor: -500, tax_rate: '20' },
  ])
  assert.equal(data['invoice_number'], 'INV-7')
  const bare = await newLink(house)
  const plain = await call(`${house.url}/api/transaction/${bare.txRef}`, { key: house.secretKey })
  assert.ok(!('items' in (plain.json.data as object)) && !('invoice_number' in (plain.json.data as object)))
})

test('items that don’t add up are refused with both sums, and every other mistake by its position', async () => {
  assert.equal(
    await refusal({ ...basket, amount: '100.01' }),
    'items must add up to the amount: they add up to 100.00, but amount is 100.01',
  )
  const one = (changes: Record<string, unknown>): Record<string, unknown> => ({
    amount: '10.00',
    items: [{ name: 'A', unit_amount: '10.00', ...changes }],
  })
  const rows: [Record<string, unknown>, RegExp][] = [
    [{ amount: '10.00', items: 'a chair' }, /^items must be a list/],
    [{ amount: '10.00', items: ['a chair'] }, /^items\[0\] must be an object/],
    [{ amount: '10.00', items: Array.from({ length: 101 }, () => chairs) }, /^items must have at most 100/],
    [one({ name: '' }), /^items\[0\]\.name is required/],
    [one({ name: 'x'.repeat(256) }), /^items\[0\]\.name must be at most 255/],
    [one({ name: 'card 4242 4242 4242 4242' }), /^items\[0\]\.name .*card number/],
    [one({ quantity: 0 }), /^items\[0\]\.quantity must be a whole number/],
    [one({ quantity: 1.5 }), /^items\[0\]\.quantity must be a whole number/],
    [one({ unit_amount: '10.005' }), /^items\[0\]\.unit_amount must have at most 2 decimals/],
    [one({ unit_amount: '1e1' }), /^items\[0\]\.unit_amount must be a plain decimal/],
    [one({ unit_amount: '--10' }), /^items\[0\]\.unit_amount must be a plain decimal/],
    [one({ tax_rate: '101' }), /^items\[0\]\.tax_rate must be percent/],
    [one({ tax_name: 'x'.repeat(31) }), /^items\[0\]\.tax_name must be at most 30 characters/],
    [one({ tax_name: '4242424242424242' }), /^items\[0\]\.tax_name .*card number/],
    [one({ tax_rate: '-1' }), /^items\[0\]\.tax_rate must be percent/],
    [{ invoice_number: 'x'.repeat(51) }, /^invoice_number must be at most 50/],
  ]
  for (const [changes, expected] of rows) assert.match(await refusal(changes), expected)
  const rounded = JSON.stringify(paymentRequest(one({}))).replace('"10.00"}]', '9.99999999999999999999}]')
  const answer = await post(`${house.url}/api/payment`, rounded, house.secretKey)
  assert.equal(answer.status, 400, 'a price is never rounded')
})

test('an empty list means no items, and a form can send items with brackets', async () => {
  assert.equal(await refusal({ items: [] }), 'taken')
  const form = new URLSearchParams({
    tx_ref: 'form-1',
    amount: '9.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    'items[0][name]': 'Tea',
    'items[0][quantity]': '3',
    'items[0][unit_amount]': '3.00',
  })
  const answer = await call(`${house.url}/api/payment`, {
    method: 'POST',
    key: house.secretKey,
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(answer.status, 201, answer.text)
  const found = await call(`${house.url}/api/transaction/form-1`, { key: house.secretKey })
  assert.match(found.text, /"items":\[\{"name":"Tea","quantity":3,"unit_amount":"3\.00"/)
})

test('the same Idempotency-Key with other items is a different body', async () => {
  const request = paymentRequest(basket)
  const headers = { 'idempotency-key': 'basket-1' }
  const first = await post(`${house.url}/api/payment`, request, house.secretKey, headers)
  const again = await post(`${house.url}/api/payment`, request, house.secretKey, headers)
  assert.deepEqual([first.status, again.text], [201, first.text])
  const other = { ...request, items: [{ name: 'All', unit_amount: '100' }] }
  assert.equal((await post(`${house.url}/api/payment`, other, house.secretKey, headers)).status, 409)
})

test('the summary, the receipt and the PDF have every line, and the included tax', async () => {
  const link = await newLink(house, basket)
  const shown = [
    '2 &#215; Oak chair',
    '£90.00',
    'A book',
    '£15.00',
    'Ten off',
    '&#8722;£5.00',
    'Total',
    '£100.00',
    'Includes VAT at 20%',
    '£14.17',
  ]
  const has = (page: string): void => {
    for (const text of shown) assert.ok(page.includes(text.replace('£', '&#163;')), text)
    assert.doesNotMatch(page, /VAT at 0%/)
  }
  has((await call(link.url)).text)
  await putInState(house, link, 'success', { state: 'succeeded' })
  const receipt = (await call(link.url)).text
  has(receipt)
  assert.match(receipt, /Invoice number[^]*INV-7/)
  assert.match(receipt, /a&#8230;&#8288;@example\.com/)
  const pdf = Buffer.from(await (await fetch(`${link.url}/receipt.pdf`)).arrayBuffer())
  const { texts } = readPdf(pdf)
  for (const text of [
    '2 × Oak chair',
    '£90.00',
    '−£5.00',
    'Total',
    '£100.00',
    'Includes VAT at 20%',
    '£14.17',
    'INV-7',
  ]) {
    assert.ok(texts.includes(text), text)
  }
})

test('a tax has the merchant’s name for it, else its country’s', async () => {
  const items = [
    { name: 'Room', unit_amount: '110.00', tax_rate: '10' },
    { name: 'City', unit_amount: '10.50', tax_rate: '5', tax_name: 'City tax' },
  ]
  const link = await newLink(house, { amount: '120.50', currency: 'AUD', items })
  const page = (await call(link.url)).text
  assert.match(page, /Includes GST at 10%/)
  assert.match(page, /Includes City tax at 5%/)
  const { json } = await call(`${house.url}/api/transaction/${link.txRef}`, { key: house.secretKey })
  const [room, city] = (json.data as { items: { tax_name?: string }[] }).items
  assert.deepEqual([room?.tax_name, city?.tax_name], [undefined, 'City tax'])
  assert.match((await call(`${link.url}?lang=de`)).text, /Inkl\. 10&#160;% GST/)
})

test('a hundred items take more than one page, and none is lost', async () => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    name: `Thing ${index + 1}`,
    unit_amount: '1.00',
  }))
  const link = await newLink(house, { amount: '100.00', items })
  await putInState(house, link, 'success', { state: 'succeeded' })
  const { texts, pages } = readPdf(Buffer.from(await (await fetch(`${link.url}/receipt.pdf`)).arrayBuffer()))
  assert.ok(pages >= 3)
  for (const { name } of items) assert.ok(texts.includes(name), name)
})

test('the mail has the purpose, the card, the items, and links to receipt and PDF', async () => {
  await changeBrand(house.db, house.merchantId, {
    supportEmail: 'help@shop.example',
    timeZone: 'America/New_York',
    vatNumber: 'GB123',
    statementDescriptor: 'CORNER SHOP',
  })
  const link = await newLink(house, basket)
  const { token } = (await (await fetch(`${link.url}/state`)).json()) as { token: string }
  const card = { number: '4242424242424242', expiry: '12/29', cvc: '123', name: 'Ada', token }
  await fetch(`${link.url}/pay`, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' })
  const url = `http://127.0.0.1:3000/payment/${link.digits}`
  await waitUntil('the server has heard of the brand', async () =>
    (await call(link.url)).text.includes('GB123'),
  )
  const [mail] = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
  assert.ok(mail)
  for (const part of [
    '2 × Oak chair',
    '£90.00',
    'Total',
    '£100.00',
    'Includes VAT at 20%',
    '£14.17',
    'Visa ending in 4242',
    'INV-7',
  ]) {
    assert.ok(mail.text.includes(part), `${part} in ${mail.text}`)
  }
  assert.ok(mail.text.includes(`${url}?lang=en`) && mail.text.includes(`${url}/receipt.pdf?lang=en`))
  assert.match(mail.text, /E[SD]T|UTC\u2212[45]/)
  assert.match(mail.text, /help@shop\.example[^]*VAT number GB123/)
  assert.match(mail.text, /CORNER SHOP/)
  assert.equal(mail.replyTo, 'help@shop.example')
  assert.match(mail.html, /href="[^"]+\/receipt\.pdf\?lang=en"/)
})
