import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { newLink, stateOf, takePicture } from '../support/customer.ts'
import { openLiveHouse, type LiveHouse } from '../support/networks/live-house.ts'

// Live payments in a real browser, at both networks' stand-ins. No worker runs: what is known is known because the network
// was asked when somebody looked.

let house: LiveHouse
let browser: TestBrowser
let page: Page
before(async () => {
  house = await openLiveHouse()
  house.networks.stripe.callbacks.manner = 'lost'
  house.networks.gocardless.callbacks.manner = 'lost'
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

const heading = async (name: string | RegExp, on = page): Promise<void> =>
  on.getByRole('heading', { level: 1, name }).waitFor()
const atNetwork = async (on = page): Promise<void> => on.getByText('This is no real').waitFor()

for (const [network, choice, pay] of [
  ['Stripe', / by card/, 'Pay'],
  ['GoCardless', / by bank/, 'Approve in my bank'],
] as const) {
  test(`a customer back from ${network} sees the receipt at once, though all callbacks are lost`, async () => {
    page = await browser.newPage({ locale: 'en-GB' })
    const link = await newLink(house, {}, house.liveKey)
    await page.goto(link.url)
    await page.getByRole('button', { name: choice }).click()
    await atNetwork()
    // Another tab looks a moment before the customer pays: what it heard must not count for the one who comes back.
    const other = await browser.newPage({ locale: 'en-GB' })
    await other.goto(link.url)
    await heading('Pay Corner shop', other)
    await house.db.query(sql`update attempts set asked_at = now() - interval '1 second'
      where number = ${link.digits.slice(8)}`)
    await page.getByRole('button', { name: pay, exact: true }).click()
    await heading('Payment received')
    assert.doesNotMatch(page.url(), /returned/, 'no waiting screen came before it')
    assert.equal(await stateOf(house, link), 'success')
    await takePicture(page, `live-receipt-${network}`)
    await other.getByRole('button', { name: choice }).click()
    await heading('Payment received', other)
    await other.close()
    await page.close()
  })

  test(`a customer who leaves ${network} unpaid can choose again, and pays once`, async () => {
    page = await browser.newPage({ locale: 'en-GB' })
    const link = await newLink(house, {}, house.liveKey)
    await page.goto(link.url)
    await page.getByRole('button', { name: choice }).click()
    await atNetwork()
    await page.getByRole('button', { name: 'Back to the shop' }).click()
    await heading('Pay Corner shop')
    await page.getByRole('button', { name: choice }).click()
    await atNetwork()
    await page.goBack()
    await heading('Pay Corner shop')
    await page.getByRole('button', { name: choice }).click()
    await atNetwork()
    await page.getByRole('button', { name: pay, exact: true }).click()
    await heading('Payment received')
    await page.goBack()
    await heading('Payment received')
    assert.equal(chargesOf(link.digits), 1)
    await page.close()
  })
}

function chargesOf(digits: string): number {
  const { stripe, gocardless } = house.networks
  const number = digits.slice(8)
  const ofStripe = [...stripe.books.intents.values()].filter(
    ({ status, metadata }) => status === 'succeeded' && metadata['florin_payment'] === number,
  )
  const ofGoCardless = [...gocardless.books.payments.values()].filter(
    ({ metadata }) => metadata['florin_payment']?.includes(number) === true,
  )
  return ofStripe.length + ofGoCardless.length
}
