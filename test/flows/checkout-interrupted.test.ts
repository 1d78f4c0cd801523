import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Route } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import { challengeCard, goodCard, newLink, timesCharged, typeCard, type Link } from '../support/customer.ts'
import { customerInBrowser } from '../support/in-browser.ts'
import { waitUntil } from '../support/wait-until.ts'

// A press whose answer never comes: a load that was stopped, a network that went away, a server that broke.

const at = customerInBrowser({ ready: async ({ page }) => page.clock.install() })
const { pay, heading } = at

type Post = { readonly sent: Promise<void>; readonly lose: () => void }

/** The network goes away under the next posts; with `arrives` only their answers are lost. */
async function losePosts(verb: string, arrives: boolean): Promise<Post> {
  const sent = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<void>()
  await at.page.route(`**/payment/*/${verb}`, async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (arrives) await route.fetch({ maxRedirects: 0 })
    sent.resolve()
    await lost.promise
    await route.abort('internetdisconnected')
  })
  return { sent: sent.promise, lose: lost.resolve }
}

/** The page asks after some seconds, and again; each answer has to be heard before its clock leads to the next. */
async function letTimePass(until: Locator): Promise<void> {
  await waitUntil('the page says what became of it', async () => {
    if (await until.isVisible()) return true
    await at.page.clock.runFor(1_000)
    return false
  })
}

/** With its script, which sends the answer. */
async function challenged(): Promise<void> {
  await heading('Approve your payment')
  await at.page.waitForLoadState()
}

async function openAndType(link: Link, card = goodCard): Promise<void> {
  const { page } = at
  await page.goto(link.url)
  await typeCard(page, card)
}

test('after a lost answer the page leads to the receipt', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const { sent, lose } = await losePosts('pay', true)
  await pay()
  await sent
  assert.equal(await page.locator('form[data-pay] .go').innerText(), 'Paying…')
  lose()
  await heading('Payment received')
  assert.equal(page.url(), link.url)
  assert.equal(await timesCharged(house, link), 1)
})

test('an interrupted load of the receipt is restarted', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const stopped = Promise.withResolvers<void>()
  await page.route(link.url, async (route) => {
    await route.abort('aborted')
    stopped.resolve()
  })
  await pay()
  await stopped.promise
  await page.unroute(link.url)
  await letTimePass(page.getByRole('heading', { level: 1, name: 'Payment received' }))
  assert.equal(await timesCharged(house, link), 1)
})

test('a card declined meanwhile is shown as declined', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, '4000 0000 0000 0002')
  const { lose } = await losePosts('pay', true)
  await pay()
  lose()
  await page.getByRole('heading', { name: 'Your card was declined.' }).waitFor()
})

test('a payment that never arrived returns the form as typed, and can be paid', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const { lose } = await losePosts('pay', false)
  await pay()
  lose()
  await page.getByRole('status').filter({ hasText: 'longer than usual' }).waitFor()
  const notice = page.getByRole('group', { name: 'Your last attempt didn’t reach us.' })
  await letTimePass(notice)
  await notice.getByText('No money has been taken.').waitFor()
  assert.equal(await notice.evaluate((element) => element === element.ownerDocument.activeElement), true)
  assert.equal(await page.getByLabel('Card number').inputValue(), goodCard)
  assert.equal(await page.getByLabel('Security code').inputValue(), '123')
  await page.unroute('**/payment/*/pay')
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('without a connection the page promises nothing, and checks at once when it is back', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const { sent, lose } = await losePosts('pay', true)
  await page.route('**/state*', (route) => route.abort('internetdisconnected'))
  await pay()
  await sent
  lose()
  await page.getByRole('status').filter({ hasText: 'longer than usual' }).waitFor()
  for (let round = 0; round < 6; round += 1) await page.clock.runFor(7_000)
  assert.equal(await page.getByText('No money has been taken.').isVisible(), false)
  assert.equal(await page.locator('form[data-pay] .go').innerText(), 'Paying…')
  await page.unroute('**/state*')
  await page.evaluate("window.dispatchEvent(new Event('online'))")
  await heading('Payment received')
})

test('3-D Secure shows which button was pressed, and moves on when its answer is lost', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, challengeCard)
  await pay()
  await challenged()
  const { sent, lose } = await losePosts('challenge', true)
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.click()
  await sent
  assert.equal(await approve.getAttribute('data-pressed'), '')
  assert.equal(await page.getByRole('button', { name: 'Refuse' }).getAttribute('aria-disabled'), 'true')
  assert.equal(await page.getByRole('status').innerText(), 'One moment…')
  lose()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('a 3-D Secure answer that never arrived can be given again', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, challengeCard)
  await pay()
  await challenged()
  const { lose } = await losePosts('challenge', false)
  await page.getByRole('button', { name: 'Approve' }).click()
  lose()
  await letTimePass(page.getByText('That didn’t reach us.'))
  await page.unroute('**/payment/*/challenge')
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading('Payment received')
})

test('pressing pay offline sends nothing and keeps the input, and pays once online', async () => {
  const { house, page, context } = at
  const link = await newLink(house)
  await openAndType(link)
  await context.setOffline(true)
  await pay()
  const status = page.locator('form[data-pay]').getByRole('status')
  await status.filter({ hasText: 'You’re offline. Nothing was sent' }).waitFor()
  assert.equal(await page.getByLabel('Card number').inputValue(), goodCard)
  assert.equal(await page.getByLabel('Security code').inputValue(), '123')
  await context.setOffline(false)
  await status.filter({ hasText: 'You can try again now.' }).waitFor()
  assert.equal(await timesCharged(house, link), 0, 'nobody has pressed again')
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('3-D Secure can be answered once online again', async () => {
  const { house, page, context } = at
  const link = await newLink(house)
  await openAndType(link, challengeCard)
  await pay()
  await challenged()
  await context.setOffline(true)
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.click()
  await page.getByRole('status').filter({ hasText: 'You’re offline.' }).waitFor()
  await context.setOffline(false)
  await approve.click()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

type Breakdown = 'before it pays' | 'after it paid'

/** The database breaks under a post, and is mended once the page has said so. */
async function breakWhilePaying(when: Breakdown, saysSo: Locator): Promise<void> {
  const { house, page } = at
  if (when === 'before it pays') await house.db.query(sql`alter table attempts rename to attempts_away`)
  else {
    await page.route('**/payment/*/pay', async (route) => {
      await route.fetch({ maxRedirects: 0 })
      await house.db.query(sql`alter table attempts rename to attempts_away`)
      await route.continue()
    })
  }
  try {
    await pay()
    await saysSo.waitFor()
  } finally {
    await page.unrouteAll()
    await house.db.query(sql`alter table attempts_away rename to attempts`)
  }
}

test('a server error leaves the form as it was, and says that nothing was taken', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  await breakWhilePaying('before it pays', page.getByText('This is taking longer than usual.'))
  const notice = page.getByRole('group', { name: 'Your last attempt didn’t reach us.' })
  await letTimePass(notice)
  await notice.getByText('No money has been taken.').waitFor()
  assert.equal(await page.getByLabel('Card number').inputValue(), goodCard)
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('after a server error the customer learns that it was paid', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  await breakWhilePaying('after it paid', page.getByText('This is taking longer than usual.'))
  await letTimePass(page.getByRole('heading', { level: 1, name: 'Payment received' }))
  assert.equal(await timesCharged(house, link), 1)
})

/** As on a slow network: the button is there before the script is, and the browser sends the form by itself. */
async function openWithoutScript(link: Link): Promise<void> {
  await at.page.route('**/checkout/*.js', (route) => route.abort())
  await openAndType(link)
  await at.page.unrouteAll()
}

const nobodyKnows = 'We don’t know yet whether your payment went through'

test('a server error without a script leads back to the form, which says that nothing was taken', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openWithoutScript(link)
  await breakWhilePaying('before it pays', page.getByText(nobodyKnows))
  await letTimePass(page.getByRole('heading', { name: 'Your last attempt didn’t reach us.' }))
  await page.getByText('No money has been taken.').waitFor()
  await typeCard(page, goodCard)
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('a server error without a script leads to the receipt if it was paid', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openWithoutScript(link)
  await breakWhilePaying('after it paid', page.getByText(nobodyKnows))
  await letTimePass(page.getByRole('heading', { level: 1, name: 'Payment received' }))
  assert.equal(await timesCharged(house, link), 1)
})

test('a link can’t make the page claim that nothing was taken', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, '4000 0000 0000 5043')
  await pay()
  await heading('Waiting for your bank')
  await page.goto(`${link.url}?interrupted=1`)
  await heading('Waiting for your bank')
  assert.equal(await page.getByText('No money has been taken').count(), 0)
})
