import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allModules } from '../../src/app/modules.ts'
import type { Module } from '../../src/modules/module.ts'
import { newLink } from '../support/customer.ts'
import { call, openHouse, type Answer, type House } from '../support/house.ts'
import { charged, lookUp, payOnPage, saveCard } from '../support/saved-methods.ts'
import { someDispute, someRefund } from '../support/shop-day.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'

// Each module is left out in turn, with those that need it. The others do what they do, and no page leads to what is gone.

type Shop = { readonly house: House; readonly owner: Visitor; readonly home: string }

const get = async ({ house }: Shop, path: string): Promise<Answer> =>
  call(`${house.url}/api/${path}`, { key: house.secretKey })

const stories: Readonly<Record<string, (shop: Shop) => Promise<void>>> = {
  async refunds(shop) {
    const { id, ref } = await someRefund(shop.house)
    assert.equal((await get(shop, `refunds/${ref}`)).status, 200)
    assert.equal((await shop.owner.get(`${shop.home}/refunds/${id}`)).status, 200)
  },
  async payouts(shop) {
    assert.equal((await get(shop, 'payouts')).status, 200)
    for (const page of ['payouts', 'balance', 'bookkeeping'])
      assert.equal((await shop.owner.get(`${shop.home}/${page}`)).status, 200, page)
  },
  async 'saved-methods'(shop) {
    const { id } = await saveCard(shop.house)
    assert.equal((await charged(shop.house, id)).status, 'success')
    assert.equal((await shop.owner.get(`${shop.home}/saved-methods/${id}`)).status, 200)
  },
  async disputes(shop) {
    const { id } = await someDispute(shop.house)
    assert.equal((await get(shop, `disputes/${id}`)).status, 200)
    assert.equal((await shop.owner.get(`${shop.home}/disputes/${id}`)).status, 200)
  },
  async links({ owner, home }) {
    assert.equal((await owner.get(`${home}/links/new`)).status, 200)
    const made = await owner.fill(`${home}/links/new`, { title: 'Tea', amount: '5', currency: 'GBP' })
    assert.equal(made.status, 303, made.text)
  },
  async customers({ owner, home }) {
    assert.match((await owner.get(`${home}/customers`)).text, /ada@/)
  },
  async 'request-log'({ house, owner, home }) {
    await house.app.flush()
    assert.match((await owner.get(`${home}/requests`)).text, /api\/payment/)
  },
  async figures({ owner, home }) {
    assert.match((await owner.get(home)).text, /Custom dates/)
  },
}

function leftWithout(name: string): readonly Module[] {
  const gone = new Set([name])
  for (let before = 0; before !== gone.size;) {
    before = gone.size
    for (const module of allModules) if (module.needs?.some((need) => gone.has(need))) gone.add(module.name)
  }
  return allModules.filter((module) => !gone.has(module.name))
}

for (const { name } of allModules)
  test(`without ${name} the others work`, async () => {
    const modules = leftWithout(name)
    const house = await openHouse({ world: { modules } })
    try {
      const owner = await signedIn(house, { role: 'owner' })
      const shop = { house, owner, home: `/dashboard/${house.merchantId}/test` }
      const link = await newLink(house, { email: 'ada@example.com' })
      await payOnPage(link)
      assert.equal((await lookUp(house, link.txRef)).status, 'success')
      for (const module of modules) await stories[module.name]?.(shop)
      for (const path of await linksOf(shop)) {
        const { status } = await owner.get(path)
        assert.ok(status < 400, `${path}: ${status}`)
      }
    } finally {
      await house.close()
    }
  })

/** What the home page, the list of payments and one payment lead to within the shop. */
async function linksOf({ owner, home }: Shop): Promise<ReadonlySet<string>> {
  const list = (await owner.get(`${home}/payments`)).text
  const [, payment = ''] = new RegExp(`href="(${home}/payments/\\d{24})"`).exec(list) ?? []
  const pages = [(await owner.get(home)).text, list, (await owner.get(payment)).text]
  return new Set(
    pages.flatMap((text) =>
      [...text.matchAll(new RegExp(`href="(${home}[^"#]*)"`, 'g'))].map(([, path = '']) =>
        path.replaceAll('&amp;', '&'),
      ),
    ),
  )
}
