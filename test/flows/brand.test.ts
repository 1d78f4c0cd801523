import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { checkPicture } from '../../src/core/merchants/pictures/check-picture.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { newLink, putInState } from '../support/customer.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { makePng } from '../support/pictures.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { runFlorin } from '../support/run-florin.ts'
import { testSecretsKey } from '../support/secrets.ts'
import { waitUntil } from '../support/wait-until.ts'

// The shop's own name, logo and colour on what its customers see.

let house: House
let browser: TestBrowser
let stranger: Receiver
let folder: string
let strangerUrl: string

before(async () => {
  house = await openHouse()
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'florin-brand-'))
  stranger = await openReceiver((request, response) => {
    const answers: Record<string, [number, Buffer | string]> = {
      '/logo.png': [200, makePng(64, 32)],
      '/logo.svg': [200, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      '/moved.png': [302, ''],
    }
    const [status, body] = answers[request.url ?? ''] ?? [404, '']
    response.writeHead(status, { 'content-type': 'image/png', location: '/logo.png' }).end(body)
  })
  strangerUrl = new URL(stranger.url).origin
})
after(async () => {
  await browser.close()
  await stranger.close()
  await house.close()
  await rm(folder, { recursive: true })
})

async function set(args: string[]): ReturnType<typeof runFlorin> {
  return runFlorin(['merchant', 'set', String(house.merchantId), ...args], {
    DATABASE_URL: house.databaseUrl,
    SECRETS_KEY: testSecretsKey,
  })
}

const whole = Object.entries({
  name: 'Ada’s Books',
  colour: '#FFE600',
  website: 'https://books.example',
  'support-email': 'help@books.example',
  'support-phone': '+44 20 7946 0000',
  address: '1 High Street, London, N1 1AA',
  'company-number': '01234567',
  'vat-number': 'GB123456789',
  'time-zone': 'Europe/London',
  'statement-descriptor': 'ADAS BOOKS',
}).flatMap(([name, value]) => [`--${name}`, value])

test('a brand set on the command line appears on every checkout screen at once', async () => {
  const file = join(folder, 'logo.png')
  await writeFile(file, makePng(200, 80, { alpha: true }))
  const { code, err } = await set([...whole, '--logo', file])
  assert.deepEqual([code, err], [0, ''])
  const link = await newLink(house)
  for (const state of ['pending', 'success', 'failed', 'cancelled', 'expired', 'refunded'] as const) {
    await putInState(house, link, state)
    const { text, headers } = await call(link.url)
    assert.match(text, new RegExp(`<img class="logo" src="/logo/${house.merchantId}/[0-9a-f]{32}"`), state)
    for (const part of [
      'Ada&#8217;s Books',
      'mailto:help@books.example',
      'tel:+442079460000',
      '>books.example<',
      '1 High Street',
    ]) {
      assert.ok(text.includes(part), `${state}: ${part}`)
    }
    // The pay page begins with the merchant anyway.
    const isLinked = text.includes('<a href="https://books.example" rel="noreferrer"><bdi>Ada&#8217;s Books<')
    assert.equal(isLinked, state !== 'pending', state)
    assert.ok(text.includes('Company number 01234567') && text.includes('VAT number GB123456789'), state)
    assert.match(headers.get('content-security-policy') ?? '', /img-src 'self' data:;/)
  }
})

test('the colour is adjusted until its button is readable, in light and dark', async () => {
  const link = await newLink(house)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme })
    await page.goto(link.url)
    const [ground, ink] = await page.evaluate<[string, string]>(
      `(() => {
        const style = getComputedStyle(document.querySelector('form[data-pay] .go'))
        return [style.backgroundColor, style.color]
      })()`,
    )
    assert.notEqual(ground, 'rgb(23, 96, 63)', 'not our own colour')
    const expected =
      colorScheme === 'light' ? ['rgb(255, 255, 255)'] : ['rgb(22, 21, 18)', 'rgb(255, 230, 0)']
    assert.ok(expected.includes(ink), `${ink} on ${ground}`)
    if (colorScheme === 'dark') assert.equal(ground, 'rgb(255, 230, 0)')
    await page.close()
  }
})

test('the logo is served from our database, as a plain picture that can be cached for ever', async () => {
  const page = (await call((await newLink(house)).url)).text
  const path = /src="(\/logo\/[^"]+)"/.exec(page)?.[1] ?? ''
  const { status, headers } = await call(house.url + path)
  assert.deepEqual(
    [status, headers.get('content-type'), headers.get('cache-control')],
    [200, 'image/png', 'public, max-age=31536000, immutable'],
  )
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  for (const wrong of ['/logo/12345678/x', `/logo/${house.merchantId}/${'0'.repeat(32)}`]) {
    assert.equal((await call(house.url + wrong)).status, 404)
  }
})

/** Waits until the logo is drawn, 64 pixels wide. */
async function drawn(page: Page): Promise<void> {
  const width = await page.evaluate('document.images[0].decode().then(() => document.images[0].naturalWidth)')
  assert.equal(width, 64)
}

test('a payment’s own logo is fetched once by us after it was created, never by the browser', async () => {
  const calls = stranger.received.length
  const logo = `${strangerUrl}/logo.png`
  const first = await newLink(house, { customization: { logo } })
  assert.equal(stranger.received.length, calls, 'creating a payment fetches nothing')
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(first.url)
  await drawn(page)
  assert.ok(
    asked.every((url) => url.startsWith(house.url)),
    asked.join(' '),
  )
  const second = await newLink(house, { customization: { logo } })
  await page.goto(second.url)
  await drawn(page)
  assert.equal(stranger.received.length, calls + 1)
  assert.match((await call(second.url)).text, new RegExp(`src="/logo/${house.merchantId}/`))
  await page.close()
})

test('a logo that is no picture or redirects falls back to the shop’s own', async () => {
  for (const path of ['/logo.svg', '/moved.png', '/missing.png']) {
    const link = await newLink(house, { customization: { logo: strangerUrl + path } })
    assert.equal((await call(`${link.url}/logo`)).status, 404, path)
    const calls = stranger.received.length
    const page = await call(link.url)
    assert.match(page.text, new RegExp(`src="/logo/${house.merchantId}/`), path)
    assert.equal((await call(`${link.url}/logo`)).status, 404)
    assert.equal(stranger.received.length, calls, 'a refused one is not asked for again at once')
  }
})

test('a live payment’s logo can’t point to this machine', async () => {
  const calls = stranger.received.length
  const link = await newLink(
    house,
    { customization: { logo: `${strangerUrl}/logo.png?live` } },
    house.liveKey,
  )
  assert.equal((await call(`${link.url}/logo`)).status, 404)
  assert.equal(stranger.received.length, calls)
})

test('an invalid brand is refused by name, and nothing changes', async () => {
  const rows: [string[], RegExp][] = [
    [['--colour', 'red'], /colour must be six hexadecimal digits/],
    [['--website', 'javascript:alert(1)'], /website must be an absolute http or https URL/],
    [['--support-email', 'a@b, c@d'], /support_email must be one e-mail address/],
    [['--support-phone', 'call me'], /support_phone must be/],
    [['--time-zone', 'Mars/Olympus'], /time_zone must be a name/],
    [['--statement-descriptor', 'A*B*C'], /statement_descriptor must be 5 to 22/],
    [['--company-number', '4242 4242 4242 4242'], /card number/],
    [['--embed-hosts', 'https://shop.example'], /embed_hosts must be host names/],
    [['--embed-hosts', "shop.example; script-src 'unsafe-inline'"], /embed_hosts must be host names/],
    [['--logo', join(folder, 'none.png')], /there is no file/],
    [['--logo', `${strangerUrl}/logo.svg`], /an SVG can hold scripts/],
    [['--logo', `${strangerUrl}/moved.png`], /could not be fetched: status 302/],
  ]
  const logoBefore = (await call((await newLink(house)).url)).text.match(/src="\/logo[^"]+"/)?.[0]
  for (const [args, expected] of rows) {
    const { code, err } = await set([...args, '--name', 'Other'])
    assert.notEqual(code, 0, args.join(' '))
    assert.match(err, expected)
  }
  const page = (await call((await newLink(house)).url)).text
  assert.equal(page.match(/src="\/logo[^"]+"/)?.[0], logoBefore)
  assert.ok(!page.includes('Other'))
})

test('every change is audited with its previous value, and can be read back', async () => {
  await set(['--colour', '#123456'])
  const environment = { DATABASE_URL: house.databaseUrl, SECRETS_KEY: testSecretsKey }
  const log = await runFlorin(['audit', '--json'], environment)
  assert.match(log.out, /"merchant.changed"/)
  assert.match(log.out, /#123456/)
  assert.match(log.out, /#ffe600/)
  const shown = await runFlorin(['merchant', 'show', String(house.merchantId), '--json'], environment)
  const facts = JSON.parse(shown.out) as Record<string, string>
  assert.deepEqual(
    [facts['name'], facts['colour'], facts['time_zone'], facts['address']],
    ['Ada’s Books', '#123456', 'Europe/London', '1 High Street, London, N1 1AA'],
  )
})

test('an empty text removes a field, and the logo likewise', async () => {
  await set(['--website', '', '--logo', ''])
  const link = await newLink(house)
  await putInState(house, link, 'success')
  const page = (await call(link.url)).text
  assert.ok(!page.includes('https://books.example') && !page.includes('class="logo"'))
  assert.match(page, /<span><bdi>Ada&#8217;s Books</)
})

test('two merchants never share a picture', async () => {
  const checked = checkPicture(makePng(10, 10))
  assert.ok(checked.ok)
  await changeBrand(house.db, house.merchantId, { logo: checked.picture })
  const link = await newLink(house)
  let id = ''
  await waitUntil('the server has heard of the logo', async () => {
    id = /src="\/logo\/\d+\/([0-9a-f]+)"/.exec((await call(link.url)).text)?.[1] ?? ''
    return id !== ''
  })
  assert.equal((await call(`${house.url}/logo/${house.merchantId}/${id}`)).status, 200)
  assert.equal((await call(`${house.url}/logo/${house.merchantId + 1}/${id}`)).status, 404)
})
