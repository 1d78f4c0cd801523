import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { listKeys } from '../../src/core/merchants/list.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { openHouse, type House } from '../support/house.ts'
import { goodPassword, newPerson } from '../support/visitor.ts'

// What needs a script: the form that is drawn while one types, and code in one language at a time.

let house: House
let browser: TestBrowser
before(async () => {
  house = await openHouse()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

async function signedIn(): Promise<Page> {
  const person = await newPerson(house, { role: 'developer' })
  const page = await browser.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(`${house.url}/dashboard/sign-in`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/(test|live)$/)
  return page
}

test('a double click creates one key and shows it; a reload creates and shows none; back offers a new form', async () => {
  const page = await signedIn()
  await page.goto(`${house.url}/dashboard/${house.merchantId}/test/keys/new`)
  const id = await page.locator('input[name=id]').getAttribute('value')
  await page.getByLabel('Name').fill('Clicked twice')
  await page.getByRole('button', { name: 'Create key' }).dblclick()
  await page.getByRole('heading', { level: 1, name: 'Clicked twice' }).waitFor()
  assert.match(await page.getByLabel('Key', { exact: true }).inputValue(), /^sk_test_\w{38}$/)
  await page.reload()
  await page.getByText('already created this key').waitFor()
  assert.equal(await page.locator('input[value^="sk_test_"]').count(), 0)
  const keys = (await listKeys(house.db, house.merchantId)).filter(({ name }) => name === 'Clicked twice')
  assert.deepEqual(
    keys.map((key) => key.id),
    [id],
  )
  await page.goBack()
  await page.getByRole('button', { name: 'Create key' }).waitFor()
  assert.notEqual(await page.locator('input[name=id]').inputValue(), id)
})

test('a form preview updates while typing, mistakes replace it, and languages can be chosen by keyboard', async () => {
  const signed = {
    kind: 'form',
    mode: 'test',
    name: 'Signed',
    bounds: { hosts: ['shop.example.com'] },
  } as const
  const { key } = await createKey(house.db, house.merchantId, { ...signed, signing: house.secrets })
  const page = await signedIn()
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
