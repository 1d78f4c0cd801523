import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { form, openFormShop, signed, type Fields, type FormShop } from '../support/form-shop.ts'
import { call, openHouse, type Answer, type House } from '../support/house.ts'

// Signed forms: what the merchant decided stands, whoever sends the form and whatever was edited in it.

let house: House
let web: FormShop
const shop = 'https://shop.example.com'
const accept = 'text/html'

before(async () => {
  house = await openHouse({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
  web = openFormShop(house)
})
after(() => house.close())

test('a signed form starts the payment the merchant signed, and the customer types the rest', async () => {
  const key = await web.formKey({}, true)
  const fields = signed(key, { meta: '{"cart":7,\n"note":"a\\\\b"}', callback_url: `${shop}/ipn` })
  // As browsers send line breaks.
  const sent = { ...fields, email: 'bob@example.com', meta: fields['meta']?.replace('\n', '\r\n') ?? '' }
  assert.equal((await web.send(sent)).status, 303)
  const found = await web.lookUp(fields['tx_ref'])
  assert.deepEqual(
    [found['amount'], found['email'], found['meta']],
    ['20.00', 'bob@example.com', { cart: 7, note: 'a\\b' }],
  )
})

test('nothing the merchant decides in a signed form can be changed, and an edited one uses up no tx_ref', async () => {
  const key = await web.formKey({}, true)
  const own = { callback_url: `${shop}/ipn`, return_url: `${shop}/thanks`, title: 'Order', meta: '{"a":1}' }
  const edits: Fields[] = [
    { amount: '0.01' },
    { amount: '20.000' },
    { amount: ' 20.00' },
    { tx_ref: 'order-of-somebody-else' },
    { currency: 'gbp' },
    { callback_url: `${shop}/other` },
    { callback_url: '' },
    { return_url: `${shop}/other` },
    { title: 'Evil' },
    { description: 'Evil' },
    { logo: `${shop}/evil.png` },
    { meta: '{"a":2}' },
    { project: 'other' },
    { items: '[{"name":"Evil","unit_amount":"20.00"}]' },
    { form_signed: 'email' },
  ]
  for (const edit of edits) {
    const fields = { ...signed(key, own), ...edit }
    const answer = await web.send(fields)
    assert.equal(answer.status, 400, JSON.stringify(edit))
    assert.deepEqual(answer.json.errors, {
      form_signature: ['form_signature does not match the fields of this form'],
    })
    assert.equal(await web.rowsOf(fields['tx_ref']), 0, JSON.stringify(edit))
  }
  for (const added of [
    { 'meta[paid]': 'yes' },
    { 'customization[title]': 'Evil' },
    { 'items[0][name]': 'Evil' },
  ])
    assert.equal((await web.send({ ...signed(key), ...added })).status, 400)
})

test('a signed form’s items can be neither changed nor removed', async () => {
  const key = await web.formKey({}, true)
  const items = '[{"name":"Chair","quantity":2,"unit_amount":"10.00","tax_rate":"20"}]'
  const fields = signed(key, { items })
  for (const edit of ['', items.replace('Chair', 'Table'), `${items} `]) {
    const answer = await web.send({ ...fields, items: edit })
    assert.match(answer.json.message, /does not match/, edit)
  }
  assert.equal((await web.send(fields)).status, 303)
  const found = await web.lookUp(fields['tx_ref'])
  assert.deepEqual(found['items'], [
    { name: 'Chair', quantity: 2, unit_amount: '10.00', unit_amount_minor: 1000, tax_rate: '20' },
  ])
})

test('a signature is required, and one by another key, another secret or for an older form is refused', async () => {
  const [key, other] = [await web.formKey({}, true), await web.formKey({}, true)]
  const missing = await web.send(form(key))
  assert.equal(missing.json.message, 'form_signature is required: this form key takes signed forms only')
  const ofOther = await web.send({ ...signed(other), secret_key: key.key })
  assert.match(ofOther.json.message, /does not match/)
  assert.match((await web.send(signed(key, {}, other.formSecret))).json.message, /does not match/)
  assert.match((await web.send(signed(key, {}, key.key))).json.message, /does not match/)
  const older = { form_signature: signed(key)['form_signature'] ?? '' }
  assert.match((await web.send({ ...form(key), ...older })).json.message, /does not match/)
  const unsigned = await web.formKey()
  const idle = { ...form(unsigned), form_signature: 'f'.repeat(64) }
  assert.match((await web.send(idle)).json.message, /^form_signature can.t be used with this key/)
  const listed = await call(`${house.url}/api/form-refusals`, { key: house.secretKey })
  assert.match(listed.text, /form_signature does not match/, 'the merchant hears of it')
  assert.doesNotMatch(listed.text + house.log(), /fsec_/)
})

test('a signed form sent twice is one payment', async () => {
  const key = await web.formKey({}, true)
  const fields = signed(key)
  assert.equal((await web.send(fields)).status, 303)
  for (const again of [fields, { ...fields, email: 'eve@example.com' }])
    assert.equal((await web.send(again)).status, 409)
  assert.equal(await web.rowsOf(fields['tx_ref']), 1)
})

test('a customer corrects their own details in a signed form; an edited form is never sealed', async () => {
  const key = await web.formKey({}, true)
  const fields = signed(key, { email: 'ada@' })
  const refused = await web.send(fields, { accept })
  assert.ok(sealedIn(refused))
  assert.ok(!refused.text.includes(key.key) && !refused.text.includes(fields['form_signature'] ?? '-'))
  const edit = { amount: '0.01', tx_ref: 'another', form_signature: 'f'.repeat(64) }
  const good = await web.send({ sealed: sealedIn(refused), email: 'ada@example.com', ...edit }, { accept })
  assert.equal(good.status, 303, good.text)
  assert.equal((await web.lookUp(fields['tx_ref']))['amount'], '20.00')

  for (const changes of [{ amount: '0.01' }, { form_signature: '' }]) {
    const edited = await web.send({ ...signed(key, { email: 'ada@' }), ...changes }, { accept })
    assert.equal(edited.status, 400)
    assert.equal(sealedIn(edited), '')
    assert.match(edited.text, /form_signature/)
  }
})

test('details the merchant signed can’t be corrected by the customer, not even on our page', async () => {
  const key = await web.formKey({}, true)
  const wrong = await web.send(signed(key, { email: 'ada@', form_signed: 'email' }), { accept })
  assert.equal(sealedIn(wrong), '')
  assert.match(wrong.text, /email must be one valid e-mail address/)

  const fields = signed(key, { first_name: '', form_signed: 'email' })
  const refused = await web.send(fields, { accept })
  const good = await web.send(
    { sealed: sealedIn(refused), first_name: 'Ada', email: 'eve@example.com' },
    { accept },
  )
  assert.equal(good.status, 303, good.text)
  assert.equal((await web.lookUp(fields['tx_ref']))['email'], 'ada@example.com')
})

function sealedIn({ text }: Answer): string {
  return /name="sealed" value="([\w-]+)"/.exec(text)?.[1] ?? ''
}
