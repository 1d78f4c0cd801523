import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  challengeCard,
  goodCard,
  letNetworkDecide,
  newLink,
  putInState,
  takePicture,
  timesCharged,
  typeCard,
} from '../support/customer.ts'
import { customerInBrowser } from '../support/in-browser.ts'

// A customer whose browser runs no JavaScript at all.

const at = customerInBrowser({ context: { javaScriptEnabled: false } })
const { pay, heading } = at

test('paying without a script leads from the form to the shop at once, and going back shows the receipt', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/thanks` })
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await takePicture(page, 'without-script-pay')
  await pay()
  await page.waitForURL(`${shopUrl}/thanks?tx_ref=${link.txRef}&status=success`)
  await page.goBack()
  await heading('Payment received')
  await takePicture(page, 'without-script-paid')
  assert.equal(page.url(), link.url)
  assert.doesNotMatch(await page.content(), /http-equiv="refresh"/)
  assert.ok(await page.getByRole('link', { name: 'Return to Corner shop' }).isVisible())
})

test('a mistake only the server finds keeps what it may, and says what must be typed again', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, '4111 1111 1111 1111')
  await pay()
  await page.getByRole('link', { name: 'Use one of the test cards' }).waitFor()
  await page.getByText('Please enter them again').waitFor()
  await takePicture(page, 'without-script-mistake')
  assert.equal(await page.getByLabel('Card number').inputValue(), '')
  assert.equal(await page.getByLabel('Security code').inputValue(), '')
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '12 / 34')
  assert.equal(await page.getByLabel('Name on card').inputValue(), 'Ada Lovelace')
  await page.getByLabel('Card number').fill(goodCard)
  await page.getByLabel('Security code').fill('123')
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('an empty form is answered in our words and the page’s language, not by the browser', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(`${link.url}?lang=de`)
  await page.locator('#name').fill('')
  await page.locator('form[data-pay] .go').click()
  await page.getByRole('link', { name: 'Kartennummer' }).waitFor()
  assert.equal(await page.locator('[aria-invalid=true]').count(), 4)
})

test('a declined card and then 3-D Secure work without a script', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, '4000 0000 0000 0002')
  await pay()
  await page.getByRole('heading', { name: 'Your card was declined.' }).waitFor()
  await typeCard(page, challengeCard)
  await pay()
  await heading('Approve your payment')
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading('Payment received')
})

test('the waiting page refreshes itself, leads to the shop once paid, and only once', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/thanks` })
  await page.goto(link.url)
  await typeCard(page, '4000 0000 0000 5043')
  await pay()
  await heading('Waiting for your bank')
  await letNetworkDecide(house, link)
  await page.waitForURL(`${shopUrl}/thanks?tx_ref=${link.txRef}&status=success`)
  await page.goBack()
  await heading('Payment received')
})

test('cancelling works without a script', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await page.getByText('Cancel this payment').click()
  await page.getByRole('button', { name: 'Yes, cancel' }).click()
  await heading('Payment cancelled')
})

test('an old receipt doesn’t redirect', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/thanks` })
  await putInState(house, link, 'refunded', { state: 'succeeded' })
  await page.goto(link.url)
  assert.doesNotMatch(await page.content(), /http-equiv="refresh"/)
})
