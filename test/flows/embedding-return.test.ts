import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newLink, stateOf } from '../support/customer.ts'
import { embeddingShop, payIn, pressPay, told } from '../support/embedding-shop.ts'
import { waitUntil } from '../support/wait-until.ts'

// After a payment over a shop's page: the customer is taken to the shop's return_url, unless the shop wants to stay.

const at = embeddingShop()

test('paying in a frame leads the whole window to the return_url', async () => {
  const link = await newLink(at.house, { return_url: `http://${at.host}/thanks` })
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  await pressPay(page.frameLocator('iframe'))
  await page.waitForURL(`http://${at.host}/thanks?tx_ref=${link.txRef}&status=success`)
  await page.close()
})

test('a frame made without our script also leads the whole window to the return_url', async () => {
  const link = await newLink(at.house, { return_url: `http://${at.host}/thanks` })
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.evaluate(`document.body.innerHTML = '<iframe width=500 height=700 src="${link.url}"></iframe>'`)
  await pressPay(page.frameLocator('iframe'))
  await page.waitForURL(`http://${at.host}/thanks?tx_ref=${link.txRef}&status=success`)
  await page.close()
})

test('paying in a pop-up leads the shop’s window to the return_url', async () => {
  const link = await newLink(at.house, { return_url: `http://${at.host}/thanks` })
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'popup')
  const [popUp] = await Promise.all([page.waitForEvent('popup'), page.locator('#go').click()])
  const closed = popUp.waitForEvent('close')
  await pressPay(popUp)
  await closed
  await page.waitForURL(`http://${at.host}/thanks?tx_ref=${link.txRef}&status=success`)
  await page.close()
})

test('a shop that stays on its page hears of the payment, and the receipt stays open over it', async () => {
  const link = await newLink(at.house, { return_url: `http://${at.host}/thanks` })
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame', true)
  await page.locator('#go').click()
  const frame = page.frameLocator('iframe')
  await payIn(frame)
  assert.equal(await stateOf(at.house, link), 'success')
  await waitUntil('the shop hears of it', async () => (await told(page)).length > 0)
  assert.deepEqual(await told(page), ['success success'])
  assert.equal(await frame.locator('.way-back a').getAttribute('target'), '_top')
  assert.equal(page.url(), `http://${at.host}/`)
  await page.getByRole('button', { name: 'Fermer' }).click()
  await waitUntil('the shop hears of the end', async () => (await told(page)).length > 1)
  assert.deepEqual(await told(page), ['success success', 'close success'])
  assert.equal(await page.locator('iframe').count(), 0)
  await page.close()
})
