import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { linkUrl } from '../address.ts'
import { createLink } from '../create-link.ts'
import { readLink } from '../read-link.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { makeFindMerchant } from '../../../core/merchants/authenticate.ts'
import { makeCreatePayment } from '../../../core/payments/create-payment.ts'
import { asRead } from '../../../../test/support/as-read.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'

// The page of a payment link, before anybody types anything.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

async function newLink(fields: Record<string, string>): Promise<{ path: string }> {
  const merchant = await makeFindMerchant(house.db, house.app.listener)(house.merchantId)
  assert.ok(merchant)
  const place = { merchant, mode: 'test' } as const
  const form = new Map(Object.entries({ kind: 'reusable', title: 'Fair ticket', currency: 'GBP', ...fields }))
  const linking = {
    ...house.app.core,
    paying: house.app.paying,
    createPayment: makeCreatePayment(house.db, house.url),
  }
  const link = await createLink(linking, place, readLink(form, place, new Date()), bySystem)
  return { path: new URL(linkUrl(link, house.url)).pathname }
}

test('a page shows the amount’s limits, if there are any', async () => {
  const hint = async (fields: Record<string, string>): Promise<string | undefined> => {
    const { path } = await newLink({ amount: '', ...fields })
    return /id="amount-hint"[^>]*>([^<]*)/.exec(asRead((await call(house.url + path)).text))?.[1]
  }
  assert.equal(await hint({ least: '5', most: '50' }), 'From £5.00 to £50.00')
  assert.equal(await hint({ least: '5' }), 'At least £5.00')
  assert.equal(await hint({ most: '50' }), 'At most £50.00')
  assert.equal(await hint({}), undefined)
  const describedBy = async (fields: Record<string, string>): Promise<string | undefined> => {
    const { text } = await call(house.url + (await newLink({ amount: '', ...fields })).path)
    return /<input\s+id="amount"[^>]*aria-describedby="([^"]*)"/.exec(text)?.[1]
  }
  assert.equal(await describedBy({ least: '5' }), 'amount-hint')
  assert.equal(await describedBy({}), undefined)
})

test('a link’s page exists in every language of the checkout, and its QR code can be put on other pages', async () => {
  const { path } = await newLink({ amount: '', least: '5' })
  const titles = new Set<string>()
  for (const code of ['en', 'cy', 'fr', 'de', 'es', 'pl', 'ar']) {
    const { text, headers } = await call(`${house.url}${path}?lang=${code}`)
    assert.equal(headers.get('content-language'), code)
    titles.add(/<h2 id="details">([^<]*)/.exec(text)?.[1] ?? '')
    assert.doesNotMatch(text, /class="problem"/, 'nothing is wrong before anything was typed')
  }
  assert.equal(titles.size, 7)
  const qr = await call(`${house.url}${path}/qr.svg`)
  assert.match(qr.headers.get('content-type') ?? '', /image\/svg\+xml/)
})

test('first name and e-mail address are required, the last name is optional', async () => {
  const { path } = await newLink({ amount: '5' })
  const { text } = await call(house.url + path)
  const isRequired = (name: string): boolean =>
    /\srequired\s/.test(new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? 'none')
  assert.deepEqual(['email', 'first_name', 'last_name'].map(isRequired), [true, true, false])
  assert.equal(asRead(text).split('(optional)').length, 2)
})
