import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { makePng } from '../support/pictures.ts'
import { readPdf } from '../support/read-pdf.ts'
import { openReceiver } from '../support/receiver.ts'
import { actionsOf, newPerson, signedIn, Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// The settings of a shop in the dashboard: what customers see, what payments may be, and what is missing before real money
// comes. Networks: dashboard-networks.test.ts.

let house: House
let owner: Visitor
let developer: Visitor

before(async () => {
  house = await openHouse()
  owner = new Visitor(house)
  developer = new Visitor(house)
  await owner.signIn(await newPerson(house, { role: 'owner' }))
  await developer.signIn(await newPerson(house, { role: 'developer' }))
})
after(() => house.close())

const at = (path: string, mode = 'test'): string => `/dashboard/${house.merchantId}/${mode}/settings${path}`
const shopNow = async () => (await readMerchant(house.db, house.merchantId)) ?? assert.fail('no merchant')

const typed = {
  name: 'Ada’s Books',
  colour: 'b5121b',
  website: 'https://books.example',
  support_email: 'help@books.example',
  support_phone: '+44 20 7946 0000',
  address: '12 Long Lane\r\nLondon\r\nEC1A 9PN',
  company_number: '01234567',
  vat_number: 'GB123456789',
  time_zone: 'Europe/London',
  statement_descriptor: 'ADAS BOOKS',
}

/** The addresses of the frames on a page. */
function framesOf(text: string): string[] {
  return [...text.matchAll(/<iframe[^>]*\ssrc="([^"#]+)/g)].map((match) =>
    (match[1] ?? '').replaceAll('&amp;', '&'),
  )
}

test('unsaved changes are previewed by the real checkout, e-mail and receipt, and nothing is stored', async () => {
  const stored = await shopNow()
  const page = await owner.fill(at('/shop/edit'), typed, at('/shop/edit/do/preview'))
  assert.equal(page.status, 200)
  assert.match(page.text, /Not saved yet/)
  assert.match(page.text, /value="b5121b"/)
  const [checkout = '', mail = '', receipt = ''] = framesOf(page.text)
  for (const [path, part] of [
    [checkout, 'checkout'],
    [mail, 'mail'],
    [receipt, 'receipt'],
  ] as const)
    assert.match(path, new RegExp(`/shop/preview/${part}\\?draft=`))
  for (const path of [checkout, mail]) {
    const { text, headers } = await owner.get(path)
    assert.match(text, /Ada.{1,7}s Books/)
    assert.ok(text.includes('#b5121b'), path)
    assert.ok(text.includes('help@books.example'), path)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
  }
  const bytes = await fetch(house.url + receipt, { headers: { cookie: cookiesOf(owner) } })
  const pdf = readPdf(Buffer.from(await bytes.arrayBuffer())).texts.join(' ')
  assert.ok(pdf.includes('GB123456789'), pdf)
  assert.deepEqual(await shopNow(), stored)
})

const cookiesOf = ({ cookies }: Visitor): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

test('only preview pages have frames, only previews may be framed, and they can’t send anything', async () => {
  const shop = await owner.get(at('/shop'))
  const policyOf = (headers: Headers): string => headers.get('content-security-policy') ?? ''
  assert.match(policyOf(shop.headers), /frame-src 'self'; .*frame-ancestors 'none'/)
  assert.equal(shop.headers.get('x-frame-options'), 'DENY')
  assert.doesNotMatch(policyOf((await owner.get(at('/payments'))).headers), /frame-src/)
  const [checkout = '', mail = '', receipt = ''] = framesOf(shop.text)
  for (const path of [checkout, mail]) {
    const { headers, text } = await owner.get(path)
    assert.match(
      policyOf(headers),
      /default-src 'none'.*form-action 'none'; frame-ancestors 'self'.*sandbox$/,
    )
    assert.doesNotMatch(policyOf(headers), /script-src|connect-src/)
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
    assert.doesNotMatch(text, /<script/)
    assert.match(text, /<(?:div|body) inert/)
  }
  const pdf = await owner.get(receipt)
  assert.deepEqual(
    [pdf.headers.get('content-type'), policyOf(pdf.headers), pdf.headers.get('x-frame-options')],
    ['application/pdf', "frame-ancestors 'self'", 'SAMEORIGIN'],
  )
})

test('a draft is shown only to its author, and can’t be forged', async () => {
  const page = await owner.fill(at('/shop/edit'), typed, at('/shop/edit/do/preview'))
  const [checkout = ''] = framesOf(page.text)
  assert.equal((await owner.get(checkout)).status, 200)
  assert.equal((await developer.get(checkout)).status, 404)
  const [text = '', signature = ''] = (checkout.split('draft=')[1] ?? '').split('.')
  const forged = Buffer.from(JSON.stringify({ ...typed, name: 'Evil' })).toString('base64url')
  for (const draft of ['', '.', 'x', `${forged}.${signature}`, `${text}.`, `${text}.${signature}x`])
    assert.equal((await owner.get(`${at('/shop/preview/checkout')}?draft=${draft}`)).status, 404, draft)
  assert.equal((await owner.get(at('/shop/preview/nothing'))).status, 404)
})

test('an owner changes what customers see; invalid input stays on the form, beside its field', async () => {
  const odd = { ...typed, support_phone: 'ring me', website: 'https://books.example' }
  for (const to of [at('/shop/edit'), at('/shop/edit/do/preview')]) {
    const refused = await owner.fill(at('/shop/edit'), odd, to)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="support_phone-error">Support telephone must be a telephone number/)
    assert.match(refused.text, /value="ring me"/)
  }
  assert.equal((await owner.post(at('/shop/edit'), { ...typed, name: ' ' })).status, 400)
  assert.equal((await shopNow()).name, 'Corner shop')

  const saved = await owner.fill(at('/shop/edit'), typed)
  assert.deepEqual([saved.status, saved.to], [303, at('/shop')])
  const { name, brand } = await shopNow()
  assert.equal(name, 'Ada’s Books')
  assert.deepEqual(brand.address, ['12 Long Lane', 'London', 'EC1A 9PN'])
  assert.equal(brand.colour, '#b5121b')
  const shown = await owner.get(at('/shop'))
  assert.match(shown.text, /Shop saved/)
  assert.match(shown.text, /ADAS BOOKS/)
  assert.deepEqual((await actionsOf(house)).slice(-2), ['merchant.changed', 'merchant.changed'])
  // What the form leaves empty goes away.
  await owner.fill(at('/shop/edit'), { ...typed, vat_number: '' })
  assert.equal((await shopNow()).brand.vatNumber, undefined)
})

async function upload(path: string, file: Buffer, more: Record<string, string> = {}): Promise<Response> {
  await owner.get(at('/shop/logo'))
  const form = new FormData()
  form.set('token', owner.token() ?? '')
  form.set('file', new Blob([new Uint8Array(file)]), 'logo.png')
  for (const [name, value] of Object.entries(more)) form.set(name, value)
  return fetch(house.url + path, {
    method: 'POST',
    redirect: 'manual',
    body: form,
    headers: { cookie: cookiesOf(owner), ...owner.headers },
  })
}

test('a logo is uploaded or fetched from a URL, checked, and can be removed', async () => {
  const path = at('/shop/logo')
  assert.equal((await upload(path, makePng(64, 32))).status, 303)
  const first = (await shopNow()).brand.logoId
  assert.ok(first)
  assert.match((await owner.get(at('/shop'))).text, new RegExp(`/logo/${house.merchantId}/${first}`))
  assert.equal((await actionsOf(house)).at(-1), 'merchant.changed')

  const refusals: [Buffer, Record<string, string>, RegExp][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {}, /an SVG can hold scripts/],
    [makePng(2000, 10), {}, /at most 1024 × 1024 pixels|at most 1024 &#215; 1024 pixels/],
    [Buffer.alloc(0), {}, /Choose an image, or enter its URL/],
    [Buffer.alloc(0), { url: 'file:///etc/passwd' }, /must start with https/],
    [Buffer.alloc(0), { url: 'http://127.0.0.1:9/logo.png' }, /could not be fetched/],
    [Buffer.alloc(210 * 1024, 1), {}, /at most 200 kB/],
  ]
  for (const [file, more, rule] of refusals) {
    const answer = await upload(path, file, more)
    assert.equal(answer.status, 400, String(rule))
    assert.match(await answer.text(), rule)
  }
  assert.equal((await upload(path, Buffer.alloc(300 * 1024))).status, 413)
  assert.equal((await upload(path, makePng(8, 8), { token: 'x' })).status, 403)
  assert.equal((await shopNow()).brand.logoId, first)

  const stranger = await openReceiver((_, response) => void response.end(makePng(16, 16)))
  assert.equal((await upload(path, Buffer.alloc(0), { url: stranger.url })).status, 303)
  await stranger.close()
  assert.notEqual((await shopNow()).brand.logoId, first)
  assert.equal((await owner.fill(path, {}, `${path}/do/remove`)).status, 303)
  assert.equal((await shopNow()).brand.logoId, undefined)
})

test('other forms accept no files of any size', async () => {
  const answer = await upload(at('/shop/edit'), makePng(8, 8))
  assert.equal(answer.status, 400)
})

test('a currency is enabled and disabled; links and programs are told, and existing payments stay', async () => {
  const made = await owner.fill(at('/payments/currencies'), { currency: 'EUR' })
  assert.deepEqual([made.status, made.to], [303, at('/payments')])
  const newLink = `/dashboard/${house.merchantId}/live/links/new`
  await waitUntil('it is offered', async () => (await owner.get(newLink)).text.includes('value="EUR"'))
  const link = await owner.fill(newLink, {
    kind: 'reusable',
    title: 'Fair',
    currency: 'EUR',
    amount: '5.00',
  })
  const code = /\/link\/[\w-]+/.exec((await owner.get(link.to)).text)?.[0] ?? assert.fail()
  await waitUntil('euros are taken', async () => (await pay('EUR')).status === 201)
  assert.match(await (await fetch(house.url + code)).text(), /<form/)

  const asked = await owner.get(at('/payments/currencies/EUR'))
  assert.match(asked.text, /New live payments in EUR are refused/)
  assert.equal((await owner.post(at('/payments/currencies/EUR'))).status, 303)
  await waitUntil('euros are refused', async () => (await pay('EUR')).status === 400)
  assert.doesNotMatch(await (await fetch(house.url + code)).text(), /<form method="post"/)
  assert.deepEqual((await actionsOf(house)).slice(-2), ['link.created', 'merchant.currency_disabled'])
  assert.equal((await pay('EUR', house.secretKey)).status, 201, 'test mode takes every currency')
  const off = await owner.fill(at('/payments/currencies'), { currency: 'USD', off: 'yes' })
  assert.equal(off.to, at('/payments/currencies/USD'))
  assert.equal((await owner.post(off.to)).status, 303, 'also one that was never switched on')

  assert.equal((await owner.get(at('/payments/currencies/EUR'))).status, 404)
  assert.equal((await owner.post(at('/payments/currencies'), { currency: 'XXZ' })).status, 400)
  const last = await owner.fill(at('/payments/currencies/GBP'), {})
  assert.equal(last.status, 400)
  assert.match(last.text, /switch off the last currency/)
})

async function pay(currency: string, key = house.liveKey) {
  return post(`${house.url}/api/payment`, paymentRequest({ currency }), key)
}

test('secret keys in forms, frame hosts and the alert address can be set; the fee plan is shown', async () => {
  const page = await owner.get(at('/payments'))
  assert.match(page.text, /1\.40%/)
  assert.match(page.text, /24 hours/)
  const fields = {
    email: 'ada@books.example',
    secret_keys: 'off',
    embed_hosts: 'Shop.example.com\r\nlocalhost:8080',
  }
  assert.equal((await owner.fill(at('/payments/edit'), fields)).status, 303)
  const { email, formsTakeSecretKeys, brand } = await shopNow()
  assert.deepEqual([email, formsTakeSecretKeys], ['ada@books.example', false])
  assert.deepEqual(brand.embedHosts, ['shop.example.com', 'localhost:8080'])
  const odd = await owner.fill(at('/payments/edit'), { ...fields, embed_hosts: 'https://x.example/' })
  assert.equal(odd.status, 400)
  assert.match(odd.text, /Hosts must be host names/)
  assert.equal((await owner.post(at('/payments/edit'), { ...fields, email: '' })).status, 400)
  // The fee plan is the operator's: a field of that name changes nothing.
  await owner.fill(at('/payments/edit'), { ...fields, refund_fees: 'on', share: '0', fixed_GBP: '0' })
  const { refundFees, feeBasisPoints } = await shopNow()
  assert.deepEqual([refundFees, feeBasisPoints], [false, 140])
})

test('developers can view settings but not change them; support sees none', async () => {
  for (const page of ['/shop', '/networks', '/payments', '/live']) {
    const { status, text } = await developer.get(at(page))
    assert.equal(status, 200, page)
    assert.doesNotMatch(text, /class="button go"|>Edit<|Turn off/)
  }
  assert.equal((await developer.get(at('/shop/edit'))).status, 403)
  const support = await signedIn(house, { role: 'support' })
  assert.equal((await support.get(at('/shop'))).status, 403)
  const { text } = await owner.get(at('/shop'))
  for (const place of ['/team"', '/audit"', '/account/sessions"', '/settings/networks"', '/settings/live"'])
    assert.ok(text.includes(place), place)
})

test('going live lists what is missing with links to fix it, and only an operator may enable it', async () => {
  const { text } = await owner.get(at('/live'))
  assert.match(text, /No network is connected/)
  assert.match(text, new RegExp(`href="${at('/networks', 'live')}"`))
  assert.match(text, /BASE_URL is http:/)
  assert.doesNotMatch(text, /Turn live payments on|Turn on without/)
  assert.equal((await owner.post(at('/live'), { force: 'yes' })).status, 403)
  const fresh = await createMerchant(house.db, { name: 'New' })
  const both = await signedIn(house, { role: 'owner', isOperator: true, merchantId: fresh })
  const live = `/dashboard/${fresh}/live/settings/live`
  const refused = await both.fill(live, { force: 'yes' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /No network is connected/)
  assert.equal((await readMerchant(house.db, fresh))?.liveEnabled, false)
})
