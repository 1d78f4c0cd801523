import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { cert, key } from '../../../test/support/certificate.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { assertPaidOnce, atFlorin, goToFlorin, isPaidPage, signIn, type Shop } from './shopper.ts'
import { folder, order, wordpress } from './wordpress.ts'

// Live payments need a shop with https, which PHP's own server hasn't: a proxy stands before it. Florin never calls a loopback address in live
// mode, so here the customer's return alone finishes the order.

export async function live(shop: Shop): Promise<void> {
  const { house, page } = shop
  const proxy = await startProxy(shop.url)
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const plugins = join(folder, 'wordpress/wp-content/mu-plugins')
  mkdirSync(plugins, { recursive: true })
  writeFileSync(join(plugins, 'behind-proxy.php'), behindProxy)
  try {
    const settings = { testmode: 'no', live_key: house.liveKey }
    const { test } = await wordpress<{ test: string }>('go-live', { settings, host })
    assert.equal(test, 'Connected to Corner shop in live mode.')
    const before = await wordpress<number>('stock')
    const secure = { ...shop, url: `https://${host}` }
    await goToFlorin(secure, 'classic')
    await page.getByRole('button', { name: / by card/ }).click()
    await page.getByText('This is no real').waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await isPaidPage(page)
    const { id, edit, notes, tx_ref: txRef } = await assertPaidOnce(shop, before)
    assert.ok(!notes.some((note) => note.includes('Test mode')), notes.join('\n'))
    assert.equal((await atFlorin(shop, txRef, house.liveKey)).mode, 'live')
    await signIn(shop)
    await page.goto(edit)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.locator('button.refund-items').click()
    await page.locator('#refund_amount').fill('12.34')
    await page.locator('button.do-api-refund').click()
    await waitUntil('it is refunded', async () => (await order(id)).refunded === '12.34')
  } finally {
    await wordpress('go-live', { settings: { testmode: 'yes', live_key: house.liveKey }, host })
    rmSync(join(plugins, 'behind-proxy.php'))
    proxy.closeAllConnections()
    proxy.close()
  }
}

const behindProxy = `<?php
if (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https') {
    $_SERVER['HTTPS'] = 'on';
    foreach (['option_home', 'option_siteurl'] as $name) {
        add_filter($name, static fn () => 'https://' . $_SERVER['HTTP_HOST'], 99);
    }
}
`

async function startProxy(url: string): Promise<Server> {
  const server = createServer({ cert, key }, (asked, answer) => {
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https' }
    const onward = request(
      new URL(asked.url ?? '/', url),
      { method: asked.method ?? 'GET', headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
