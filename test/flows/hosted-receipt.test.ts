import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decide } from '../../src/core/test-network/bank/decide.ts'
import { readPages } from '../support/networks/test-bank-records.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { newLink, stateOf, type Link } from '../support/customer.ts'
import { liveAccount } from '../support/hosted-choice.ts'
import { openHostedHouse, type HostedHouse } from '../support/hosted-house.ts'
import { call } from '../support/house.ts'
import { readPdf } from '../support/read-pdf.ts'

// A receipt of a payment on a network's own page: page, PDF and mail say the same of how it was paid, and when.

let house: HostedHouse
before(async () => {
  house = await openHostedHouse()
  house.accounts.push(liveAccount('Stand-in'))
  await changeBrand(house.db, house.merchantId, {
    timeZone: 'America/New_York',
    statementDescriptor: 'CORNER SHOP',
  })
})
after(() => house.close())

async function payAt(network: string, method: 'card' | 'bank', language: string): Promise<Link> {
  const link = await newLink(house, {}, network === 'Stand-in' ? house.liveKey : house.secretKey)
  const { token } = (await call(`${link.url}/state`)).json as unknown as { token: string }
  await call(`${link.url}/choose?lang=${language}`, {
    method: 'POST',
    body: new URLSearchParams({ token, account: `acc_${network}`, method }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const key = { merchantId: house.merchantId, number: link.digits.slice(8) }
  const [page] = await readPages(house.db, key)
  assert.ok(page && (await decide(house.db, { ...key, reference: page.reference }, 'pay', new Date())))
  await call(`${link.url}/return`)
  assert.equal(await stateOf(house, link), 'success')
  await house.db.query(sql`
    update attempts set started_at = '2026-07-15T14:05:00Z' where merchant_id = ${house.merchantId}`)
  return link
}

async function mailOf(link: Link): Promise<string> {
  const mails = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
  return mails.find(({ number }) => number === link.digits.slice(8))?.text ?? ''
}

for (const [network, method, language, label, means] of [
  ['Stand-in', 'card', 'en', 'Paid with', 'Card, through Stand-in'],
  ['test-bank', 'bank', 'en', 'Paid with', 'Bank payment, through Test bank'],
  ['test-bank', 'bank', 'de', 'Bezahlt mit', 'Bankzahlung, &#252;ber Testbank'],
] as const) {
  test(`a payment by ${method} in ${language} names the method and the network on page, PDF and mail`, async () => {
    const link = await payAt(network, method, language)
    const { text } = await call(`${link.url}?lang=${language}`)
    assert.match(text, new RegExp(`<dt>${label}</dt>\\s*<dd>${means}</dd>`))
    const plain = means.replace('&#252;', 'ü')
    const answer = await fetch(`${link.url}/receipt.pdf?lang=${language}`)
    assert.ok(readPdf(Buffer.from(await answer.arrayBuffer())).texts.includes(plain))
    // Live mail waits for a mail server; what it says of a card is held by its own test.
    if (network === 'test-bank') assert.ok((await mailOf(link)).includes(plain), await mailOf(link))
  })
}

test('the page shows the time in the merchant’s named zone, and the statement text', async () => {
  const link = await payAt('test-bank', 'bank', 'en')
  const { text } = await call(link.url)
  assert.match(
    text,
    /<time datetime="2026-07-15T14:05:00[^"]*">15 July 2026, 10:05&#160;(EDT|UTC&#8722;4)<\/time>/,
  )
  assert.match(text, /<dt>On your statement<\/dt>\s*<dd><bdi>CORNER SHOP<\/bdi><\/dd>/)
  assert.match(await mailOf(link), /CORNER SHOP/)
})
