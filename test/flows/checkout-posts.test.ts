import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { asRead } from '../support/as-read.ts'
import { goodCard, newLink, putInState, stateOf, timesCharged, type Link } from '../support/customer.ts'
import { call, openHouse, type Answer, type House } from '../support/house.ts'

// What a stranger, a robot or an odd browser may send to the checkout.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const card = { number: goodCard, expiry: '12 / 34', cvc: '737', name: 'Ada Lovelace' }

async function tokenOf(link: Link): Promise<string> {
  return /name="token" value="([^"]+)"/.exec((await call(link.url)).text)?.[1] ?? ''
}

async function send(
  link: Link,
  verb: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return call(`${link.url}/${verb}`, { method: 'POST', body, headers: { ...type, ...headers } })
}

test('a valid post answers 303 to the payment, in its language', async () => {
  const link = await newLink(house)
  const answer = await send(link, 'pay?lang=cy', { ...card, token: await tokenOf(link) })
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), `/payment/${link.digits}?lang=cy`)
  assert.equal(await stateOf(house, link), 'success')
})

test('without this payment’s token nothing happens', async () => {
  const link = await newLink(house)
  const other = await tokenOf(await newLink(house))
  for (const token of ['', 'x', other]) {
    for (const verb of ['pay', 'challenge', 'cancel']) {
      const answer = await send(link, verb, { ...card, token, attempt: '1', answer: 'approve' })
      assert.equal(answer.status, 403)
      assert.match(answer.text, /nothing was done/)
    }
  }
  assert.equal(await stateOf(house, link), 'pending')
})

test('a post from another site is refused, even with the right token', async () => {
  const link = await newLink(house)
  const fields = { ...card, token: await tokenOf(link) }
  for (const site of ['cross-site', 'same-site']) {
    assert.equal((await send(link, 'pay', fields, { 'sec-fetch-site': site })).status, 403)
  }
  assert.equal((await send(link, 'pay', fields, { 'sec-fetch-site': 'same-origin' })).status, 303)
})

test('another site is refused by Origin alone, even with the right token', async () => {
  const link = await newLink(house)
  const fields = { ...card, token: await tokenOf(link) }
  const here = new URL(house.url)
  const foreign = [
    'https://evil.example',
    `https://${here.hostname}.evil.example`,
    `http://${here.hostname}:1`,
    'nonsense',
  ]
  for (const verb of ['pay', 'cancel', 'challenge']) {
    for (const origin of foreign)
      assert.equal((await send(link, verb, fields, { origin })).status, 403, origin)
  }
  assert.equal(await stateOf(house, link), 'pending')
  // The address that the browser shows, that of BASE_URL behind a proxy, a page of ours without a referrer.
  for (const origin of [here.origin, 'http://127.0.0.1:3000', 'null']) {
    const own = await newLink(house)
    const sent = await send(own, 'pay', { ...card, token: await tokenOf(own) }, { origin })
    assert.equal(sent.status, 303, origin)
  }
})

test('every server of an installation accepts the others’ tokens', async () => {
  const link = await newLink(house)
  const second = await openHouse({ databaseUrl: house.databaseUrl })
  const elsewhere = { ...link, url: link.url.replace(house.url, second.url) }
  assert.equal(await tokenOf(elsewhere), await tokenOf(link))
  await second.close()
})

test('a mistake answers 400 and repeats neither the number nor the security code', async () => {
  const link = await newLink(house)
  const answer = await send(link, 'pay', { ...card, expiry: '01 / 20', token: await tokenOf(link) })
  assert.equal(answer.status, 400)
  assert.match(answer.text, /The expiry date is in the past/)
  assert.match(answer.text, /value="Ada Lovelace"/)
  assert.doesNotMatch(answer.text, /value="4242|value="737/)
})

test('a name can’t become markup', async () => {
  const link = await newLink(house, {
    customization: { title: '<script>alert(1)</script>', description: '"><img src=x>' },
  })
  const name = '"><script>alert(2)</script>'
  const answer = await send(link, 'pay', { ...card, name, cvc: '', token: await tokenOf(link) })
  assert.doesNotMatch(answer.text, /<script>alert|<img src=x>/)
})

test('the card appears in no log line', async () => {
  const link = await newLink(house)
  await send(link, 'pay', { ...card, token: await tokenOf(link) })
  assert.doesNotMatch(house.log(), /4242 ?4242|Lovelace/)
})

test('fifty simultaneous presses charge once', async () => {
  const link = await newLink(house)
  const fields = { ...card, token: await tokenOf(link) }
  const answers = await Promise.all(Array.from({ length: 50 }, async () => send(link, 'pay', fields)))
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([303]))
  assert.equal(await timesCharged(house, link), 1)
})

test('an answer to a nonexistent challenge leads to the payment', async () => {
  const link = await newLink(house)
  const token = await tokenOf(link)
  for (const attempt of ['7', '0', '-1', '1.5', '99999999999', 'x', '']) {
    assert.equal((await send(link, 'challenge', { token, attempt, answer: 'approve' })).status, 303, attempt)
  }
})

test('in live mode our pages read no card', async () => {
  const link = await newLink(house, {}, house.liveKey)
  const page = await call(link.url)
  assert.doesNotMatch(page.text, /<input/)
  assert.match(page.text, /No money has been taken/)
  assert.doesNotMatch(page.text, /Test mode/)
})

test('a post to a finished payment leads to its page', async () => {
  const link = await newLink(house)
  const token = await tokenOf(link)
  await putInState(house, link, 'success', { state: 'succeeded' })
  for (const verb of ['pay', 'cancel']) {
    assert.equal((await send(link, verb, { ...card, token })).status, 303)
  }
  assert.equal(await stateOf(house, link), 'success')
})

test('reloading a form’s URL leads to the payment', async () => {
  const link = await newLink(house)
  for (const verb of ['pay', 'challenge', 'cancel']) {
    const answer = await call(`${link.url}/${verb}`)
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), `/payment/${link.digits}`)
  }
})

test('a body that is no form gets a page, not JSON', async () => {
  const link = await newLink(house)
  const headers = { 'content-type': 'text/plain' }
  const answer = await call(`${link.url}/pay`, { method: 'POST', body: 'x', headers })
  assert.equal(answer.status, 415)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
})

test('guessing is rate limited, with a page that says when to come back', async () => {
  const now = new Date()
  const guessing = await openHouse({ settings: { MISS_LIMIT_PER_SECOND: '2' }, world: { now: () => now } })
  const guess = async (path: string): Promise<Answer> => call(`${guessing.url}/payment/${path}`)
  const known = await newLink(guessing)
  assert.equal((await guess('1'.repeat(32))).status, 404)
  assert.equal((await guess('nonsense/deep/down')).status, 404)
  const slowed = await guess('2'.repeat(32))
  assert.equal(slowed.status, 429)
  assert.equal(slowed.headers.get('retry-after'), '1')
  assert.match(slowed.text, /Please wait a moment/)
  assert.equal((await call(known.url)).status, 200, 'a customer behind the same address is not locked out')
  const atOnce = await Promise.all(Array.from({ length: 10 }, (_, at) => guess(String(at).repeat(32))))
  assert.ok(atOnce.every(({ status }) => status === 429))
  await guessing.close()
})

test('the language follows the browser, and Content-Language says so', async () => {
  const link = await newLink(house, { currency: 'GBP' })
  const answer = await call(link.url, { headers: { 'accept-language': 'pl-PL,pl;q=0.9' } })
  assert.equal(answer.headers.get('content-language'), 'pl')
  assert.match(answer.headers.get('vary') ?? '', /accept-language/)
  assert.match(answer.text, /<html lang="pl" dir="ltr">/)
  assert.match(asRead(answer.text), /1234,50\s*GBP|1234,50\s*£/)
})

test('a page is ASCII in every language, and displays as written', async () => {
  const title = 'Zażółć gęślą … 💷 مرحبا'
  const link = await newLink(house, { customization: { title } })
  for (const language of ['en', 'cy', 'fr', 'de', 'es', 'pl', 'ar']) {
    const page = await call(`${link.url}?lang=${language}`)
    assert.match(page.text, /^[\0-\x7f]+$/, language)
    assert.ok(asRead(page.text).includes(title), language)
  }
  assert.match((await call(`${house.url}/docs`)).text, /^[\0-\x7f]+$/)
})

test('the page is below 12 kB, 14 kB with style and script, and sent compressed', async () => {
  const link = await newLink(house, { customization: { title: 'Two chairs', description: 'x'.repeat(200) } })
  const page = await call(link.url)
  const path = /<script[^>]* src="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const script = await call(house.url + path)
  const styles = await call(house.url + (/<link rel="stylesheet" href="([^"]+)"/.exec(page.text)?.[1] ?? ''))
  assert.ok(page.text.length < 12_000, `${page.text.length} bytes of a page that is sent anew each time`)
  const bytes = [page, script, styles].reduce((sum, { text }) => sum + gzipSync(text).length, 0)
  assert.ok(bytes < 14_000, `${bytes} bytes do not fit the first flight of packets`)
  for (const encoding of ['br', 'gzip']) {
    const packed = await fetch(link.url, { headers: { 'accept-encoding': encoding } })
    assert.equal(packed.headers.get('content-encoding'), encoding)
    assert.match(await packed.text(), /<\/html>/)
  }
})

test('the QR code holds the link, also for the merchant’s own page', async () => {
  const link = await newLink(house)
  const answer = await call(`${link.url}/qr.svg`)
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.match(answer.text, /^<svg [^]*<\/svg>$/)
})

test('the receipt is a PDF once the payment is paid, and not before', async () => {
  const link = await newLink(house)
  assert.equal((await call(`${link.url}/receipt.pdf`)).status, 404)
  await putInState(house, link, 'success', { state: 'succeeded' })
  const answer = await call(`${link.url}/receipt.pdf`)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="receipt-\w+\.pdf"$/)
  assert.match(answer.text, /^%PDF-1\.7\n[^]*%%EOF\n$/)
})

test('a refunded payment keeps its receipt, and its page links to it', async () => {
  for (const state of ['refunded', 'reversed'] as const) {
    const link = await newLink(house)
    await putInState(house, link, state, { state: 'succeeded' })
    assert.match((await call(link.url)).text, /href="[^"]*\/receipt\.pdf" download>[^]*id="print"/)
    assert.equal((await call(`${link.url}/receipt.pdf`)).headers.get('content-type'), 'application/pdf')
  }
})

test('pictures come only from us, whatever logo a payment names', async () => {
  for (const logo of ['https://pictures.example:8443/logo.png', 'https://a;sandbox/logo.png']) {
    const page = await call((await newLink(house, { customization: { logo } })).url)
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' data:;/)
    assert.doesNotMatch(page.text, /pictures\.example|a;sandbox/)
  }
})
