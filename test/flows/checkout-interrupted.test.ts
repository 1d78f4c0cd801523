import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { sql } from '../../src/database/sql.ts'
import { challengeCard, goodCard, newLink, timesCharged, typeCard, type Link } from '../support/customer.ts'
import { customerInBrowser } from '../support/in-browser.ts'

// A press whose answer never comes: a load that was stopped, a network that went away, a server that broke.

const at = customerInBrowser({ ready: async ({ page }) => page.clock.install() })
const { pay, heading } = at

/** As when somebody presses Escape: the page stays, whether the post has arrived or not. */
async function stopLoads(verb: string, arrives: boolean): Promise<{ stopped: Promise<void> }> {
  const { page } = at
  let done = (): void => {}
  const stopped = new Promise<void>((resolve) => (done = resolve))
  await page.route(`**/payment/*/${verb}`, async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (arrives) await route.fetch({ maxRedirects: 0 })
    await route.abort('aborted')
    done()
  })
  return { stopped }
}

/** The page asks after some seconds, and again; each time it has to hear the answer before its clock goes on. */
async function letItAsk(times: number): Promise<void> {
  const { page } = at
  for (let round = 0; round < times; round += 1) {
    const answer = page.waitForResponse((each) => each.url().includes('/state'))
    await page.clock.runFor(7_000)
    await (await answer).finished()
  }
}

async function openAndType(link: Link, card = goodCard): Promise<void> {
  const { page } = at
  await page.goto(link.url)
  await typeCard(page, card)
}

test('a load that was stopped after the payment arrived leads to the receipt', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const { stopped } = await stopLoads('pay', true)
  await pay()
  await stopped
  assert.equal(await page.locator('form[data-pay] .go').innerText(), 'Paying…')
  await page.clock.runFor(7_000)
  await heading('Payment received')
  assert.equal(page.url(), link.url)
  assert.equal(await timesCharged(house, link), 1)
})

test('a card that was declined meanwhile is told as declined', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, '4000 0000 0000 0002')
  const { stopped } = await stopLoads('pay', true)
  await pay()
  await stopped
  await page.clock.runFor(7_000)
  await page.getByRole('heading', { name: 'Your card was declined.' }).waitFor()
})

test('a payment that never arrived is given back with all that was typed, and can be paid', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const { stopped } = await stopLoads('pay', false)
  await pay()
  await stopped
  await letItAsk(1)
  await page.getByRole('status').filter({ hasText: 'longer than usual' }).waitFor()
  await letItAsk(2)
  const notice = page.getByRole('group', { name: 'Your last try did not reach us.' })
  await notice.getByText('No money has been taken.').waitFor()
  assert.equal(await notice.evaluate((element) => element === element.ownerDocument.activeElement), true)
  assert.equal(await page.getByLabel('Card number').inputValue(), goodCard)
  assert.equal(await page.getByLabel('Security code').inputValue(), '123')
  await page.unroute('**/payment/*/pay')
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('while nobody answers the page promises nothing, and asks at once when the network is back', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link)
  const { stopped } = await stopLoads('pay', true)
  await page.route('**/state*', (route) => route.abort('internetdisconnected'))
  await pay()
  await stopped
  for (let round = 0; round < 6; round += 1) await page.clock.runFor(7_000)
  assert.equal(await page.getByText('No money has been taken.').isVisible(), false)
  assert.equal(await page.locator('form[data-pay] .go').innerText(), 'Paying…')
  await page.unroute('**/state*')
  await page.evaluate("window.dispatchEvent(new Event('online'))")
  await heading('Payment received')
})

test('3-D Secure shows which button was pressed, says so, and moves on when its answer is lost', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, challengeCard)
  await pay()
  await heading('Approve your payment')
  const { stopped } = await stopLoads('challenge', true)
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.click()
  await stopped
  assert.equal(await approve.getAttribute('data-pressed'), '')
  assert.equal(await page.getByRole('button', { name: 'Refuse' }).getAttribute('aria-disabled'), 'true')
  assert.equal(await page.getByRole('status').innerText(), 'One moment…')
  await page.clock.runFor(7_000)
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('an answer to 3-D Secure that never arrived can be given again', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, challengeCard)
  await pay()
  await heading('Approve your payment')
  const { stopped } = await stopLoads('challenge', false)
  await page.getByRole('button', { name: 'Approve' }).click()
  await stopped
  await letItAsk(3)
  await page.getByText('That did not reach us.').waitFor()
  await page.unroute('**/payment/*/challenge')
  await page.getByRole('button', { name: 'Approve' }).click()
  await heading('Payment received')
})

async function breakWhilePaying(link: Link, verb: 'before' | 'after'): Promise<void> {
  const { house, page } = at
  await openAndType(link)
  await page.getByLabel('Name on card').fill('Grace Hopper')
  if (verb === 'before') await house.db.query(sql`alter table attempts rename to attempts_away`)
  else {
    await page.route('**/payment/*/pay', async (route) => {
      await route.fetch({ maxRedirects: 0 })
      await house.db.query(sql`alter table attempts rename to attempts_away`)
      await route.continue()
    })
  }
  await pay()
  await heading('Something went wrong')
  await page.getByText('We do not know yet whether your payment went through').waitFor()
  await page.unrouteAll()
  await house.db.query(sql`alter table attempts_away rename to attempts`)
}

test('after a breakdown the customer learns that nothing was taken, and finds name and date again', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await breakWhilePaying(link, 'before')
  await page.clock.runFor(20_000)
  await page.getByRole('heading', { name: 'Your last try did not reach us.' }).waitFor()
  await page.getByText('No money has been taken.').waitFor()
  assert.equal(await page.getByLabel('Name on card').inputValue(), 'Grace Hopper')
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '12 / 34')
  assert.equal(await page.getByLabel('Card number').inputValue(), '')
  await page.getByLabel('Card number').fill(goodCard)
  await page.getByLabel('Security code').fill('123')
  await pay()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('after a breakdown the customer learns that it was paid', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await breakWhilePaying(link, 'after')
  await page.clock.runFor(20_000)
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})

test('nobody is told by a link that nothing was taken when something was', async () => {
  const { house, page } = at
  const link = await newLink(house)
  await openAndType(link, '4000 0000 0000 5043')
  await pay()
  await heading('Waiting for your bank')
  await page.goto(`${link.url}?interrupted=1`)
  await heading('Waiting for your bank')
  assert.equal(await page.getByText('No money has been taken').count(), 0)
})
