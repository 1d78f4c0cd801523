import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createKey } from '../../src/merchants/change-keys.ts'
import { openBrowser } from '../support/chromium.ts'
import { openHouse, type House } from '../support/house.ts'
import { goodPassword, newPerson } from '../support/visitor.ts'

// What needs a script: the form that is drawn while one types, and code in one language at a time.

let house: House
let browser: Browser
before(async () => {
  house = await openHouse()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

test('a form is drawn while one types, a mistake takes its place, and languages are chosen by keyboard', async () => {
  const person = await newPerson(house, { role: 'developer' })
  const signed = {
    kind: 'form',
    mode: 'test',
    name: 'Signed',
    bounds: { hosts: ['shop.example.com'] },
  } as const
  const { key } = await createKey(house.db, house.merchantId, { ...signed, signing: house.secrets })
  const page = await browser.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(`${house.url}/dashboard/sign-in`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/(test|live)$/)
  const address = `${house.url}/dashboard/${house.merchantId}/test/forms`
  await page.goto(address)
  await page.getByLabel('Form key').fill(key)
  await page.getByLabel('Amount').pressSequentially('12.00')
  await page.locator('#form-html', { hasText: 'value="12.00"' }).waitFor()
  await page.locator('#form-html', { hasText: 'form_signature' }).waitFor()
  assert.equal(page.url(), address, 'nobody left the page')
  assert.ok(await page.locator('[data-copy="form-html"]').isVisible())

  const node = page.getByRole('region', { name: 'Sign a form in Node' })
  const python = page.getByRole('region', { name: 'Sign a form in Python' })
  assert.deepEqual([await node.isVisible(), await python.isVisible()], [true, false])
  await page.getByRole('radio', { name: 'Node' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.deepEqual([await node.isVisible(), await python.isVisible()], [false, true])

  await page.getByLabel('Amount').fill('nothing')
  await page.getByRole('alert').getByText('amount must be').waitFor()
  assert.equal(await page.locator('#form-html').count(), 0)
})
