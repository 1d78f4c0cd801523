import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import {
  challengeCard,
  goodCard,
  letNetworkDecide,
  newLink,
  putInState,
  stateOf,
  takePicture,
  timesCharged,
  typeCard,
} from '../support/customer.ts'
import { customerInBrowser } from '../support/in-browser.ts'
import { waitUntil } from '../support/wait-until.ts'

// A customer with a browser and JavaScript.

const strangers: string[] = []
const at = customerInBrowser({
  ready({ page, house, shopUrl }) {
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (origin !== house.url && origin !== shopUrl) strangers.push(request.url())
    })
  },
})
const { pay, heading } = at

test('a paying customer returns to the shop at once, and going back shows the receipt', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/thanks?basket=7#top` })
  await page.goto(`${shopUrl}/basket`)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await pay()
  await page.waitForURL(`${shopUrl}/thanks?basket=7&tx_ref=${link.txRef}&status=success#top`)
  assert.equal(await timesCharged(house, link), 1)
  await page.goBack()
  await heading('Payment received')
  await page.getByText('Visa ending in 4242').waitFor()
  assert.equal(page.url(), link.url, 'the receipt stays at the payment link')
  await page.reload()
  await heading('Payment received')
  await page.goBack()
  await page.waitForURL(`${shopUrl}/basket`)
})

test('3-D Secure and a slow bank also end at the shop', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/thanks` })
  await page.goto(link.url)
  await typeCard(page, challengeCard)
  await pay()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(`${shopUrl}/thanks?tx_ref=${link.txRef}&status=success`)

  const late = await newLink(house, { return_url: `${shopUrl}/thanks` })
  await page.goto(late.url)
  await typeCard(page, '4000 0000 0000 5043')
  await pay()
  await heading('Waiting for your bank')
  await letNetworkDecide(house, late)
  await page.waitForURL(`${shopUrl}/thanks?tx_ref=${late.txRef}&status=success`)
})

test('a shop that shows the receipt first has a button back, and nothing redirects', async () => {
  const { house, page, shopUrl } = at
  await changeBrand(house.db, house.merchantId, { receiptFirst: true })
  try {
    const link = await newLink(house, { return_url: `${shopUrl}/thanks` })
    await waitUntil('the server has heard of it', async () => {
      await page.goto(link.url)
      return (await page.locator('input[name=takes_back]').count()) === 0
    })
    await typeCard(page, goodCard)
    await pay()
    await heading('Payment received')
    assert.equal(page.url(), link.url)
    await page.getByRole('link', { name: 'Return to Corner shop' }).click()
    await page.waitForURL(`${shopUrl}/thanks?tx_ref=${link.txRef}&status=success`)
  } finally {
    await changeBrand(house.db, house.merchantId, { receiptFirst: false })
  }
})

test('opening a paid payment’s link shows the receipt without redirecting', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/thanks` })
  await putInState(house, link, 'success', { state: 'succeeded' })
  await page.goto(link.url)
  await heading('Payment received')
  assert.doesNotMatch(await page.content(), /http-equiv="refresh"/)
})

test('paying works with the keyboard alone', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await page.getByLabel('Card number').focus()
  await page.keyboard.type('4242424242424242')
  assert.equal(await page.getByLabel('Card number').inputValue(), goodCard)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1234')
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '12 / 34')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ada Lovelace')
  await page.keyboard.press('Enter')
  await heading('Payment received')
})

test('grouping digits keeps the caret where the customer types', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  const number = page.getByLabel('Card number')
  await number.fill('424242424242')
  await number.evaluate((input: { setSelectionRange(from: number, to: number): void }) =>
    input.setSelectionRange(2, 2),
  )
  await page.keyboard.type('99')
  assert.equal(await number.inputValue(), '4299 4242 4242 42')
  assert.equal(await number.evaluate((input: { selectionStart: number }) => input.selectionStart), 4)
  await page.getByLabel('Expiry date').pressSequentially('934')
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '09 / 34')
})

test('a declined card says so, says that no money was taken, and another card can pay', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, '4000 0000 0000 9995')
  await pay()
  await page.getByText('No money has been taken.').waitFor()
  await page.getByRole('heading', { name: 'not enough money' }).waitFor()
  await page.reload()
  await page.getByText('No money has been taken.').waitFor()
  await page.getByRole('button', { name: 'Fill in card 5555 5555 5555 4444' }).click()
  await takePicture(page, 'declined-then-filled')
  await page.keyboard.press('Enter')
  await heading('Payment received')
  await page.getByText('Mastercard ending in 4444').waitFor()
  assert.equal(await timesCharged(house, link), 1)
})

test('a card that is no test card is refused before it is sent', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, '4111 1111 1111 1111')
  await pay()
  await page.getByRole('link', { name: 'Use one of the test cards' }).waitFor()
})

test('3-D Secure can be approved, refused, or left for another card', async () => {
  const { house, page } = at
  for (const [answer, seen] of [
    ['Approve', 'Payment received'],
    ['Refuse', 'Pay Corner shop'],
    ['Use another card', 'Pay Corner shop'],
  ] as const) {
    const link = await newLink(house)
    await page.goto(link.url)
    await typeCard(page, challengeCard)
    await pay()
    await heading('Approve your payment')
    await page.getByRole('button', { name: answer }).click()
    await heading(seen)
    assert.equal(await timesCharged(house, link), answer === 'Approve' ? 1 : 0)
    if (answer !== 'Approve') await page.getByText('No money has been taken.').waitFor()
  }
})

test('without the bank’s answer the page waits, promises nothing about the money, and moves on by itself', async () => {
  const { house, page } = at
  for (const [card, seen] of [
    ['4000 0000 0000 5043', 'Payment received'],
    ['4000 0000 0000 5050', 'Pay Corner shop'],
  ] as const) {
    const link = await newLink(house)
    await page.goto(link.url)
    await typeCard(page, card)
    await pay()
    await heading('Waiting for your bank')
    assert.equal(await page.getByText('No money has been taken').count(), 0)
    await letNetworkDecide(house, link)
    await heading(seen)
  }
})

test('the button can be pressed once: it shows progress, and a second press does nothing', async () => {
  const { house, page } = at
  const link = await newLink(house)
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  await page.goto(link.url)
  await typeCard(page, goodCard)
  const label = await page
    .locator('form[data-pay] .go')
    .evaluate((button: { click(): void; textContent: string }) => {
      button.click()
      button.click()
      return button.textContent.trim()
    })
  assert.equal(label, 'Paying…')
  await heading('Payment received')
  assert.equal(posts.length, 1)
})

test('a button that is busy looks busy', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  // No answer comes: the page would leave while the button is looked at.
  await page.route('**/pay', () => {})
  await pay()
  await takePicture(page, 'paying')
  assert.equal(await page.locator('form[data-pay] .go').getAttribute('aria-disabled'), 'true')
  await page.unroute('**/pay')
})

test('in two tabs the second shows the first one’s receipt, and there is one charge', async () => {
  const { house, context, page } = at
  const link = await newLink(house)
  const other = await context.newPage()
  await Promise.all([page.goto(link.url), other.goto(link.url)])
  await typeCard(page, goodCard)
  await typeCard(other, '5555 5555 5555 4444')
  await pay()
  await heading('Payment received')
  await other.getByRole('button', { name: /^Pay £[\d,.]+$/ }).click()
  await other.getByText('Visa ending in 4242').waitFor()
  assert.equal(await timesCharged(house, link), 1)
})

test('refresh and back after paying charge nothing more', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house)
  await page.goto(`${shopUrl}/basket`)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await pay()
  await heading('Payment received')
  await page.reload()
  await heading('Payment received')
  await page.goBack()
  await page.goForward()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('cancelling asks for confirmation, ends the payment, and has a button back to the shop', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/basket` })
  await page.goto(link.url)
  await page.getByText('Cancel this payment').click()
  await page.getByRole('button', { name: 'Yes, cancel' }).click()
  await heading('Payment cancelled')
  assert.equal(await stateOf(house, link), 'cancelled')
  await page.getByRole('link', { name: 'Return to Corner shop' }).click()
  await page.waitForURL(`${shopUrl}/basket?tx_ref=${link.txRef}&status=cancelled`)
})

test('a logo that fails to load leaves no gap', async () => {
  const { house, page, shopUrl } = at
  const whole = await newLink(house, { customization: { logo: `${shopUrl}/no-picture.png` } })
  await page.goto(whole.url)
  await page.locator('.logo').waitFor({ state: 'detached' })
  const bare = await newLink(house)
  const left = await page.getByRole('heading', { level: 1 }).boundingBox()
  await page.goto(bare.url)
  assert.deepEqual(await page.getByRole('heading', { level: 1 }).boundingBox(), left)
})

test('a chosen language is kept through a mistake, a payment and the receipt', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await page.getByRole('link', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payer Corner shop' }).waitFor()
  await page.locator('[data-card] button').first().click()
  await page.locator('form[data-pay] .go').click()
  await page.getByRole('heading', { level: 1, name: 'Paiement reçu' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
})

test('the browser contacted no other server in any of these tests', () => {
  assert.deepEqual(strangers, [])
})
