import assert from 'node:assert/strict'
import { test } from 'node:test'
import { challengeCard, goodCard, newLink, takePicture, typeCard } from '../support/customer.ts'
import { customerInBrowser } from '../support/in-browser.ts'
import { waitUntil } from '../support/wait-until.ts'

// A customer who has to try again: what is told, and what need not be typed twice.

const at = customerInBrowser()
const { pay, heading } = at

test('mistakes are shown before anything is sent, linked to their fields, and keep the input', async () => {
  const { house, page } = at
  const link = await newLink(house)
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  await page.goto(link.url)
  await typeCard(page, '4242 4242 4242 4241')
  await page.getByLabel('Expiry date').fill('01 / 20')
  await pay()
  const summary = page.getByRole('group', { name: 'There is a problem' })
  assert.equal(await summary.evaluate((element) => element === element.ownerDocument.activeElement), true)
  assert.match(await page.title(), /^Error: /)
  await takePicture(page, 'mistakes')
  await summary.getByRole('link', { name: 'The expiry date is in the past' }).click()
  const expiry = page.getByLabel('Expiry date')
  assert.equal(await expiry.evaluate((element) => element === element.ownerDocument.activeElement), true)
  assert.equal(await expiry.getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByLabel('Card number').inputValue(), '4242 4242 4242 4241')
  assert.deepEqual(posts, [])

  await page.getByLabel('Card number').fill('4242')
  await page.getByLabel('Card number').fill(goodCard)
  assert.equal(await summary.getByRole('link').count(), 1, 'what is mended leaves the summary')
  await expiry.fill('12 / 34')
  assert.equal(await summary.isVisible(), false)
  assert.equal(await page.title(), 'Pay Corner shop')
  await pay()
  await heading('Payment received')
})

test('a decline keeps only the name and the expiry date', async () => {
  const { house, page } = at
  for (const card of ['4000 0000 0000 0002', challengeCard]) {
    const link = await newLink(house)
    await page.goto(link.url)
    await typeCard(page, card)
    await pay()
    if (card === challengeCard) await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('No money has been taken.').waitFor()
    const expiry = page.getByLabel('Expiry date')
    await waitUntil('the script has filled it in', async () => (await expiry.inputValue()) === '12 / 34')
    assert.equal(await page.getByLabel('Name on card').inputValue(), 'Ada Lovelace')
    assert.equal(await page.getByLabel('Card number').inputValue(), '')
    assert.equal(await page.getByLabel('Security code').inputValue(), '')
    const kept = await page.evaluate<string[]>('Object.values({ ...sessionStorage, ...localStorage })')
    assert.deepEqual(kept, [JSON.stringify({ expiry: '12 / 34', name: 'Ada Lovelace' })])

    await page.getByLabel('Card number').fill(goodCard)
    await page.getByLabel('Security code').fill('123')
    await pay()
    await heading('Payment received')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  }
})

/** As browsers do that keep a page in memory; Chromium is told not to while it is tested. */
const comeBack = "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"

test('a page restored from the browser’s cache keeps the card, unless the payment changed meanwhile', async () => {
  const { house, page, context } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  const asked = page.waitForResponse((each) => each.url().includes('/state'))
  await page.evaluate(comeBack)
  await (await asked).finished()
  assert.equal(await page.getByLabel('Card number').inputValue(), goodCard)

  const other = await context.newPage()
  await other.goto(link.url)
  await typeCard(other, goodCard)
  await pay(other)
  await other.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
  await page.evaluate(comeBack)
  await heading('Payment received')
})
