import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { readSnippet } from '../../src/guide/snippets/read-snippets.ts'
import { openGuide, phone } from '../support/guide-in-browser.ts'

// The guide in a real browser: on a phone and a wide screen, light and dark, with and without a script.

const guide = openGuide()
const { visit } = guide

test('axe finds nothing in a chapter, light or dark, and it fits the smallest phone', async () =>
  guide.inspect('/payments'))

test('on a phone the menu folds, opens, navigates and closes, even without a script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit('', { viewport: phone, javaScriptEnabled })
    const menu = page.getByRole('navigation', { name: 'Guide' })
    assert.equal(await menu.isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).click()
    assert.equal(await menu.isVisible(), true)
    await page.getByRole('button', { name: 'Close' }).click()
    assert.equal(await menu.isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'Errors' }).click()
    await page.getByRole('heading', { level: 1, name: 'Errors, and what to do about each' }).waitFor()
    assert.equal(await menu.isVisible(), false)
    await page.context().close()
  }
})

test('on a wide screen the menu is visible, marks the current page, and has no button', async () => {
  const page = await visit('/notifications')
  const menu = page.getByRole('navigation', { name: 'Guide' })
  assert.equal(await menu.isVisible(), true)
  assert.equal(await menu.locator('[aria-current=page]').innerText(), 'Notifications')
  assert.equal(await page.getByRole('button', { name: 'Menu' }).isVisible(), false)
  await page.context().close()
})

test('a link within the chapter closes the phone menu', async () => {
  const page = await visit('/payments', { viewport: phone })
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('navigation', { name: 'Guide' })
  await menu.getByRole('link', { name: 'The transaction' }).click()
  await menu.waitFor({ state: 'hidden' })
  assert.match(page.url(), /#transaction$/)
  await page.context().close()
})

test('search results appear while typing, and can be walked with the keyboard', async () => {
  const page = await visit('')
  await page.keyboard.press('/')
  await page.keyboard.type('retries answer')
  await page.locator('.found a').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/notifications#retries$/)
  await page.getByRole('searchbox').fill('zzz qqq')
  await page.getByText('Nothing in the guide').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.found').isVisible(), false)
  await page.context().close()
})

test('without a script a search is a page', async () => {
  const page = await visit('', { javaScriptEnabled: false })
  await page.getByRole('searchbox').fill('refunded')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search\?q=refunded$/)
  assert.ok((await page.locator('.results a').count()) > 1)
  assert.equal(await page.getByRole('searchbox').inputValue(), 'refunded')
  await page.context().close()
})

test('a button copies the code shown, byte for byte', async () => {
  const page = await visit('', { permissions: ['clipboard-read', 'clipboard-write'] })
  const block = page.locator('figure', { hasText: 'Create a payment' })
  await block.getByText('Python', { exact: true }).click()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.equal(copied, readSnippet('create.py', guide.house.url))
  await page.context().close()
})

test('a language is chosen once for all code, here and in the next chapter', async () => {
  const page = await visit('')
  await page.locator('figure', { hasText: 'Create a payment' }).getByText('Ruby', { exact: true }).click()
  const shown = async (): Promise<string[]> =>
    page.locator('.languages pre:visible').evaluateAll((all) => all.map((pre) => pre.ariaLabel ?? ''))
  assert.deepEqual(await shown(), ['Create a payment in Ruby', 'Look a transaction up in Ruby'])
  await page.goto(`${guide.house.url}/docs/notifications`)
  // Calls without Ruby are shown in curl.
  const others = new Set((await shown()).slice(1))
  assert.deepEqual([(await shown())[0], ...others], ['Verify a notification in Ruby', 'Request in curl'])
  await page.context().close()
})

test('without a script languages can be chosen, and there is no copy button', async () => {
  const page = await visit('', { javaScriptEnabled: false })
  const block = page.locator('figure', { hasText: 'Create a payment' })
  await block.getByText('Go', { exact: true }).click()
  assert.match(await block.locator('pre:visible').innerText(), /^package main/)
  assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0)
  await page.context().close()
})

test('the guide’s form leads to the checkout when pressed', async () => {
  const { key } = await createKey(guide.house.db, guide.house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'form',
    bounds: { hosts: ['shop.example.com'], currencies: ['GBP'] },
  })
  const page = await guide.browser.newPage()
  await page.setContent(readSnippet('forms/form.html', guide.house.url).replace('fk_test_…', key))
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForURL(/\/payment\/\d{32}$/)
  assert.equal(await page.getByText('£20.00').first().isVisible(), true)
  await page.close()
})
