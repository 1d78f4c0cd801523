import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { form, openFormShop, type FormShop } from '../support/form-shop.ts'
import { call, openHouse, type House } from '../support/house.ts'

// What a payment is for, line by line, from a form on the shop's page.

let house: House
let web: FormShop
before(async () => {
  house = await openHouse({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
  web = openFormShop(house)
})
after(() => house.close())

const chairs = '{"name":"Chair","quantity":2,"unit_amount":5.10}'
const table = '{"name":"Table","unit_amount":"9.80","tax_rate":20.00}'
const inputs = {
  'items[0][name]': 'Chair',
  'items[0][quantity]': '2',
  'items[0][unit_amount]': '5.10',
  'items[1][name]': 'Table',
  'items[1][unit_amount]': '9.80',
  'items[1][tax_rate]': '20',
}

test('items are JSON text or inputs, exact to the penny, and appear on the page', async () => {
  const key = await web.formKey({ showsTitle: true })
  for (const items of [{ items: ` [${chairs},${table}]\r\n` }, inputs]) {
    const fields = form(key, items)
    const answer = await web.send(fields)
    assert.equal(answer.status, 303, answer.text)
    assert.deepEqual((await web.lookUp(fields['tx_ref']))['items'], [
      { name: 'Chair', quantity: 2, unit_amount: '5.10', unit_amount_minor: 510 },
      { name: 'Table', quantity: 1, unit_amount: '9.80', unit_amount_minor: 980, tax_rate: '20' },
    ])
    const { pathname } = new URL(answer.headers.get('location') ?? '')
    assert.match((await call(house.url + pathname)).text, /2 &#215; Chair/)
  }
  assert.equal((await web.send(form(key, { items: '' }))).status, 303)
})

test('invalid, duplicate or mismatched items are refused by the rule they break', async () => {
  const key = await web.formKey({ showsTitle: true })
  const shape = 'items must be a list as JSON text, or inputs such as items[0][name]'
  const sum = 'items must add up to the amount: they add up to 9.80, but amount is 20.00'
  for (const [wrong, rule] of [
    [{ items: 'two chairs' }, shape],
    [{ items: chairs }, shape],
    [{ items: `[${chairs}` }, shape],
    [{ items: `[${chairs},${table}]`, ...inputs }, shape],
    [{ 'items[first][name]': 'Chair' }, 'items must be a list'],
    [{ items: `[${table}]` }, sum],
  ] as const) {
    const fields = form(key, wrong)
    const refused = await web.send(fields)
    assert.equal(refused.status, 400, JSON.stringify(wrong))
    assert.deepEqual(refused.json.errors, { items: [rule] })
    assert.equal(await web.rowsOf(fields['tx_ref']), 0)
  }
})
