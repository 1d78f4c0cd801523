import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { newLink, takePicture, timesCharged } from '../support/customer.ts'
import { customerInBrowser } from '../support/in-browser.ts'

// Somebody in a hurry, with a phone and a slow network, who does everything twice and some of it wrong.

const at = customerInBrowser({
  context: { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, acceptDownloads: true },
  // As on the edge of a mobile network: 400 ms to the server and back, 50 kB a second.
  async ready({ context, page }) {
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 20_000,
    })
  },
})
const { heading } = at

/** Digit by digit, as a thumb does. */
async function type(label: string, text: string): Promise<void> {
  const field = at.page.getByLabel(label)
  await field.tap()
  await field.pressSequentially(text)
}

/** Twice, before the phone has said anything. */
async function tapTwice(name: string | RegExp): Promise<void> {
  const button = at.page.getByRole('button', { name })
  await button.scrollIntoViewIfNeeded()
  const box = await button.boundingBox()
  assert.ok(box)
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
  // Neither waits for the other, or the second could fall on the next page.
  await Promise.all([at.page.touchscreen.tap(...middle), at.page.touchscreen.tap(...middle)])
}

test('a hurried customer on a phone is charged once, and finds the receipt and its file', async () => {
  const { house, page, context, shopUrl } = at
  const link = await newLink(house)
  await page.goto(shopUrl)
  await page.goto(link.url)

  await type('Card number', '4000000000003221')
  await type('Expiry date', '1234')
  await type('Security code', '12')
  await page.getByRole('button', { name: /^Pay £[\d,.]+$/ }).tap()
  const problem = page.getByRole('group', { name: 'There is a problem' })
  await problem.getByRole('link', { name: /a digit is wrong or missing/ }).waitFor()
  await problem.getByRole('link', { name: 'The security code has 3 digits' }).tap()
  await page.keyboard.press('End')
  await page.keyboard.type('3')
  await takePicture(page, 'hurried-1-mistakes')

  await page.getByRole('link', { name: 'Deutsch' }).tap()
  await page.getByRole('heading', { name: 'Zahlung an Corner shop' }).waitFor()
  await page.waitForLoadState()
  assert.equal(await page.getByLabel('Gültig bis').inputValue(), '12 / 34', 'the date came along')
  await page.goBack()
  await page.getByRole('heading', { name: 'Pay Corner shop' }).waitFor()
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '12 / 34')

  await page.getByLabel('Card number').fill('')
  await page.getByLabel('Security code').fill('')
  await type('Card number', '4000000000003220')
  await type('Security code', '123')
  await context.setOffline(true)
  await page.getByRole('button', { name: /^Pay £[\d,.]+$/ }).tap()
  const status = page.locator('form[data-pay]').getByRole('status')
  await status.filter({ hasText: 'You’re offline.' }).waitFor()
  const box = await status.boundingBox()
  assert.ok(box && box.y >= 0 && box.y + box.height <= 700, 'it is on the screen')
  await takePicture(page, 'hurried-2-offline')
  await context.setOffline(false)
  await status.filter({ hasText: 'You can try again now.' }).waitFor()
  await tapTwice(/^Pay £[\d,.]+$/)

  await heading('Approve your payment')
  await page.waitForLoadState()
  await takePicture(page, 'hurried-3-approve')
  await tapTwice('Approve')
  await heading('Payment received')
  await takePicture(page, 'hurried-4-receipt')
  assert.equal(page.url(), link.url)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download PDF' }).tap(),
  ])
  assert.match((await readFile(await file.path())).toString('latin1', 0, 5), /^%PDF-/)
  await page.goBack()
  await page.getByText('Welcome back').waitFor()
  await page.goForward()
  await heading('Payment received')
  assert.equal(await timesCharged(house, link), 1)
})
