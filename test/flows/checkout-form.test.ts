import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goodCard, newLink, stateOf, timesCharged, typeCard } from '../support/customer.ts'
import { call } from '../support/house.ts'
import { customerInBrowser } from '../support/in-browser.ts'

// What the form does for those who type into it, and the ways out of it.

const at = customerInBrowser()
const { pay, heading } = at

test('an expiry date is accepted in every way of typing it, key by key', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  const expiry = page.getByLabel('Expiry date')
  for (const [typed, while_, after_] of [
    ['12/2034', '12 / 2034', '12 / 34'],
    ['122034', '12 / 2034', '12 / 34'],
    ['8/2034', '08 / 2034', '08 / 34'],
    ['12 / 34', '12 / 34', '12 / 34'],
    ['1234', '12 / 34', '12 / 34'],
    ['12345', '12 / 34', '12 / 34'],
    ['2034-12', '2034 / 12', '12 / 34'],
    ['203408', '2034 / 08', '08 / 34'],
    ['١٢/٢٠٣٤', '12 / 2034', '12 / 34'],
  ] as const) {
    await expiry.fill('')
    await expiry.pressSequentially(typed)
    assert.equal(await expiry.inputValue(), while_, typed)
    await page.getByLabel('Security code').focus()
    assert.equal(await expiry.inputValue(), after_, typed)
    assert.equal(await page.locator('#expiry-error').isVisible(), false, typed)
  }
  for (const typed of ['12/34', '8/2034', '2034-12', '2']) {
    await expiry.fill('')
    await expiry.pressSequentially(typed)
    let left = (await expiry.inputValue()).length
    while (left > 0) {
      await expiry.press('Backspace')
      const { length } = await expiry.inputValue()
      assert.ok(length < left, `${typed}: Backspace is stuck at ${length}`)
      left = length
    }
  }
  await expiry.fill('')
  await expiry.pressSequentially('12/34')
  // The caret goes behind the month, which is typed again.
  await expiry.press('Home')
  for (const key of ['ArrowRight', 'ArrowRight', 'Backspace', 'Backspace']) await expiry.press(key)
  assert.equal(await expiry.inputValue(), ' / 34')
  await expiry.pressSequentially('08')
  assert.equal(await expiry.inputValue(), '08 / 34')
  await expiry.fill('')
  await expiry.pressSequentially('12/20')
  await page.getByLabel('Security code').focus()
  assert.equal(await page.locator('#expiry-error').innerText(), 'The expiry date is in the past')
})

test('a date with a four-digit year pays on Enter', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await page.getByLabel('Expiry date').fill('')
  await page.getByLabel('Expiry date').pressSequentially('12/2034')
  await page.keyboard.press('Enter')
  await heading('Payment received')
})

test('American Express has its own grouping, logo and four-digit code', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  const number = page.getByLabel('Card number')
  await number.pressSequentially('378282246310005')
  assert.equal(await number.inputValue(), '3782 822463 10005')
  assert.equal(await page.locator('.brand:visible').getAttribute('data-brand'), 'amex')
  const place = page.locator('.code-place')
  assert.equal(await place.locator('[data-side=front]').isVisible(), true)
  assert.equal(await place.locator('[data-side=back]').isVisible(), false)
  await page.getByLabel('Expiry date').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
  await pay()
  await page.getByRole('link', { name: 'has 4 digits, on the front' }).click()
  await page.keyboard.type('1234')
  await pay()
  await page.getByText('American Express ending in 0005').waitFor()
  assert.equal(await timesCharged(house, link), 1)
})

test('American Express’s test card fills in a four-digit code, other cards a three-digit one', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  const code = page.getByLabel('Security code')
  await page.getByRole('button', { name: 'Fill in card 3782 822463 10005' }).click()
  assert.equal(await code.inputValue(), '1234')
  await page.getByRole('button', { name: `Fill in card ${goodCard}` }).click()
  assert.equal(await code.inputValue(), '123')
  await page.keyboard.press('Enter')
  await heading('Payment received')
})

test('the order’s name is filled in, and can be changed', async () => {
  const { house, page } = at
  const link = await newLink(house, { first_name: 'Zoë', last_name: '<b>“Łąka”</b>' })
  await page.goto(link.url)
  const name = page.getByLabel('Name on card')
  assert.equal(await name.inputValue(), 'Zoë <b>“Łąka”</b>')
  await name.fill('Grace Hopper')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  assert.equal(await page.getByLabel('Name auf der Karte').inputValue(), 'Grace Hopper')
  const alone = await newLink(house, { first_name: 'Cher', last_name: undefined })
  await page.goto(alone.url)
  assert.equal(await page.getByLabel('Name on card').inputValue(), 'Cher')
})

test('switching languages keeps the input except the card number and code, which are never stored', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await page.getByRole('link', { name: 'Polski' }).click()
  await page.getByRole('heading', { level: 1, name: 'Corner shop' }).waitFor()
  assert.deepEqual(
    await Promise.all(['#number', '#expiry', '#cvc', '#name'].map((id) => page.locator(id).inputValue())),
    ['', '12 / 34', '', 'Ada Lovelace'],
  )
  const kept = await page.evaluate<string[]>('Object.values({ ...sessionStorage, ...localStorage })')
  assert.deepEqual(kept, [JSON.stringify({ expiry: '12 / 34', name: 'Ada Lovelace' })])
})

test('returning to the shop cancels nothing: the shop sees pending, and the link still works', async () => {
  const { house, page, shopUrl } = at
  const link = await newLink(house, { return_url: `${shopUrl}/basket?id=7` })
  await page.goto(link.url)
  await page.getByRole('link', { name: 'Return to Corner shop' }).click()
  await page.waitForURL(`${shopUrl}/basket?id=7&tx_ref=${link.txRef}&status=pending`)
  assert.equal(await stateOf(house, link), 'pending')
  await page.goBack()
  await typeCard(page, goodCard)
  await pay()
  await page.waitForURL(`${shopUrl}/basket?id=7&tx_ref=${link.txRef}&status=success`)
  const bare = await newLink(house)
  await page.goto(bare.url)
  assert.equal(await page.getByRole('link', { name: 'Return to' }).count(), 0)
})

test('a wide screen offers the QR code, and loads it only on request', async () => {
  const { house, page } = at
  const link = await newLink(house)
  const codes: string[] = []
  page.on('request', (request) => request.url().includes('qr.svg') && codes.push(request.url()))
  await page.goto(link.url)
  await page.waitForLoadState('networkidle')
  assert.deepEqual(codes, [])
  const answer = page.waitForResponse('**/qr.svg')
  await page.getByText('Continue on your phone').click()
  assert.equal((await answer).status(), 200)
  await page.setViewportSize({ width: 390, height: 800 })
  assert.equal(await page.getByText('Continue on your phone').isVisible(), false)
})

test('on a phone the test cards are collapsed, and shown when another card is used', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(link.url)
  const cards = page.getByRole('table')
  assert.equal(await cards.isVisible(), false)
  await page.getByText('Test cards').click()
  await cards.waitFor()
  await page.getByText('Test cards').click()
  await typeCard(page, '4111 1111 1111 1111')
  await pay()
  await cards.waitFor()
})

test('a link with a trailing full stop, bracket or slash still opens', async () => {
  const { house, page } = at
  const link = await newLink(house)
  for (const end of ['/', '.', ')', '>', '%3E', ').', '>?lang=de']) {
    const answer = await call(link.url + end)
    assert.ok([301, 302, 308].includes(answer.status), `${end}: ${answer.status}`)
    const { pathname, search } = new URL(answer.headers.get('location') ?? '', house.url)
    assert.equal(pathname + search, `/payment/${link.digits}${end.endsWith('de') ? '?lang=de' : ''}`)
    await page.goto(link.url + end)
    await page.locator('#number').waitFor()
  }
})
