import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { languages } from '../../src/core/checkout/language.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { newLink, putInState, takePicture, type Link } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'

// Every screen, as customers of every kind see it. checkout-screens.test.ts looks at two of them in `npm test`.

let house: House
let browser: TestBrowser
let page: Page
before(async () => {
  house = await openHouse({ settings: { MISS_LIMIT_PER_SECOND: '1000' } })
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-GB', bypassCSP: true })
})
after(async () => {
  await browser.close()
  await house.close()
})

const order = {
  return_url: 'https://shop.example/thanks',
  customization: {
    title: 'Two walnut chairs',
    description: 'Delivered on Thursday, the old ones taken away.',
  },
}

type Scenery = { readonly heading: string; readonly prepare: () => Promise<Link> }

function inState(
  ...state: Parameters<typeof putInState> extends [House, Link, ...infer Rest] ? Rest : never
) {
  return async (): Promise<Link> => {
    const link = await newLink(house, order)
    await putInState(house, link, ...state)
    return link
  }
}

async function oldReceipt(): Promise<Link> {
  const link = await inState('success', { state: 'succeeded' })()
  await house.db.query(sql`
    update attempts set started_at = now() - interval '200 days'
    where merchant_id = ${house.merchantId} and number = ${link.digits.slice(8)}`)
  return link
}

const screens: Readonly<Record<string, Scenery>> = {
  pay: { heading: 'Pay Corner shop', prepare: async () => newLink(house, order) },
  declined: {
    heading: 'Pay Corner shop',
    prepare: inState('pending', { state: 'declined', reason: 'insufficient_funds' }),
  },
  challenge: { heading: 'Approve your payment', prepare: inState('pending', { state: 'action_required' }) },
  waiting: { heading: 'Waiting for your bank', prepare: inState('pending', { state: 'unknown' }) },
  paid: { heading: 'Payment received', prepare: inState('success', { state: 'succeeded' }) },
  'old-receipt': { heading: 'Your receipt', prepare: oldReceipt },
  cancelled: { heading: 'Payment cancelled', prepare: inState('cancelled') },
  expired: { heading: 'This payment link has expired', prepare: inState('expired') },
  failed: {
    heading: 'Payment failed',
    prepare: inState('failed', { state: 'declined', reason: 'declined' }),
  },
  refunded: { heading: 'Payment refunded', prepare: inState('refunded', { state: 'succeeded' }) },
  reversed: { heading: 'Payment reversed', prepare: inState('reversed', { state: 'succeeded' }) },
  unavailable: {
    heading: 'Payment is not possible right now',
    prepare: async () => newLink(house, order, house.liveKey),
  },
  'not-found': {
    heading: 'Payment not found',
    prepare: async () => ({ digits: '', txRef: '', url: `${house.url}/payment/${'1'.repeat(32)}` }),
  },
}

const wide = { width: 1280, height: 900 }
const small = { width: 320, height: 640 }

async function open(url: string, viewport = wide): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: 'light', media: 'screen', reducedMotion: 'no-preference' })
  await page.goto(url)
}

async function overflow(): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

for (const [name, { heading, prepare }] of Object.entries(screens)) {
  test(`the ${name} screen renders, fits a small phone, and passes axe in light and dark`, async () => {
    const { url } = await prepare()
    await open(url)
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), heading)
    assert.deepEqual(await violations(page), [])
    await takePicture(page, `${name}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await violations(page, 'contrast'), [])
    await takePicture(page, `${name}-dark`)

    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(small)
    assert.equal(await overflow(), 0)
    await takePicture(page, `${name}-320`)
    await open(`${url}?lang=ar`, small)
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
    assert.equal(await overflow(), 0)
    await takePicture(page, `${name}-rtl`)
  })
}

test('an old receipt opens with its e-mail address, in every language, and refuses another one', async () => {
  for (const { code, words } of languages) {
    const { url } = await oldReceipt()
    await open(`${url}?lang=${code}`, small)
    await page.locator('#email').fill('eve@example.com')
    await page.getByRole('button', { name: words.showReceipt }).click()
    assert.equal(await page.locator('#email-error').innerText(), words.otherEmail)
    assert.equal(await overflow(), 0, code)
    assert.deepEqual(await violations(page, code === 'en' ? 'all' : 'all but contrast'), [])
    await takePicture(page, `old-receipt-mistake-${code}`)
    await page.locator('#email').fill('ada@example.com')
    await page.getByRole('button', { name: words.showReceipt }).click()
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), words.paidTitle)
  }
})

test('at 200 % zoom on a small laptop nothing scrolls sideways', async () => {
  const { url } = await newLink(house, order)
  await open(url, { width: 512, height: 384 })
  assert.equal(await overflow(), 0)
})

test('every language fits the smallest screen with mistakes shown, and passes axe', async () => {
  const { url } = await newLink(house, { ...order, amount: '999999999.99' })
  for (const { code } of languages) {
    await open(`${url}?lang=${code}`, small)
    await page.locator('#name').fill('')
    await page.locator('form[data-pay] .go').click()
    assert.equal(await page.locator('#problem li').count(), 4)
    assert.equal(await overflow(), 0, code)
    assert.deepEqual(await violations(page, code === 'en' ? 'all' : 'all but contrast'), [])
    await takePicture(page, `mistakes-${code}`)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(wide)
  assert.deepEqual(await violations(page), [])
  await takePicture(page, 'mistakes-dark')
})

test('the longest label for a name and the longest amounts stay within the smallest screen', async () => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const merchant = await createMerchant(house.db, { name })
  const { key } = await createKey(house.db, merchant, { kind: 'secret', mode: 'test', name: 'test' })
  const states = ['pending', 'success', 'refunded', 'reversed', 'cancelled', 'expired'] as const
  for (const [index, state] of states.entries()) {
    const amount = ['123456.78', '999999999.99'][index % 2]
    const link = await newLink(house, { ...order, amount }, key)
    await putInState(house, link, state, state === 'pending' ? undefined : { state: 'succeeded' })
    for (const code of ['en', 'de', 'ar']) {
      await open(`${link.url}?lang=${code}`, small)
      assert.equal(await overflow(), 0, `${state} in ${code}`)
      const spills =
        'document.querySelector(".amount")?.scrollWidth > document.querySelector(".amount")?.clientWidth'
      assert.equal(await page.evaluate(spills), false, `${state} in ${code}`)
    }
    await takePicture(page, `long-${state}`)
  }
})

test('all digits of a card are visible on the smallest screen', async () => {
  const { url } = await newLink(house, order)
  for (const code of ['en', 'ar']) {
    await open(`${url}?lang=${code}`, small)
    await page.locator('#number').fill('4242 4242 4242 4242')
    const [isHidden, marks] = await page.evaluate<[boolean, number]>(`(() => {
      const input = document.querySelector('#number')
      const seen = [...document.querySelectorAll('.brand')].filter((mark) => mark.checkVisibility())
      return [input.scrollWidth > input.clientWidth, seen.length]
    })()`)
    assert.deepEqual([isHidden, marks], [false, 1], code)
  }
})

test('nothing moves with reduced motion', async () => {
  const link = await screens['paid']?.prepare()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(link?.url ?? '')
  assert.equal(await page.evaluate('document.getAnimations().length'), 0)
})

test('a receipt prints without buttons, and says that it is a test', async () => {
  const link = await screens['paid']?.prepare()
  await open(link?.url ?? '')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('.test-note').innerText(), 'Test payment. No money was taken.')
  assert.equal(await page.getByRole('button').count(), 0)
  assert.equal(await page.getByText('£1,234.50').isVisible(), true)
  await takePicture(page, 'paid-print')
})
