import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { languages } from '../../src/core/checkout/language.ts'
import { languageOf } from '../../src/core/merchants/brand/languages.ts'
import { wordsOf } from '../../src/core/notifications/mail/mail-words.ts'
import { newLink } from '../support/customer.ts'
import { call, openHouse, type House } from '../support/house.ts'

let house: House

before(async () => {
  house = await openHouse()
})
after(async () => {
  await house.close()
})

async function payIn(language: string): Promise<string> {
  const link = await newLink(house)
  const headers = { 'accept-language': language }
  const page = await call(link.url, { headers })
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const card = { token, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ada' }
  const paid = await call(`${link.url}/pay`, {
    method: 'POST',
    body: new URLSearchParams(card).toString(),
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(paid.status, 303)
  return link.digits.slice(8)
}

test('the receipt is in the language the customer paid in', async () => {
  const rows: [string, RegExp][] = [
    ['fr', /^Reçu de Corner shop/],
    ['de', /Corner shop/],
    ['en', /Corner shop/],
  ]
  const subjects: string[] = []
  for (const [language, shape] of rows) {
    const number = await payIn(language)
    const mails = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
    const subject = mails.find((mail) => mail.number === number)?.subject ?? ''
    assert.match(subject, shape)
    subjects.push(subject)
  }
  assert.equal(new Set(subjects).size, rows.length, subjects.join('; '))
})

test('mail and page use the same terms in every language', () => {
  for (const { code, words: page } of languages) {
    const mail = wordsOf(languageOf(code))
    assert.deepEqual(
      [mail.paidTo, mail.payee, mail.amount, mail.date, mail.reference, mail.order, mail.test],
      [
        page.paidTo,
        page.payee,
        page.amount,
        page.date,
        page.reference,
        page.orderReference,
        page.testReceipt,
      ],
    )
    assert.deepEqual([mail.receipt.heading, mail.failure.heading], [page.paidTitle, page.failedTitle])
    assert.ok(mail.failure.body.includes(page.noMoneyTaken), code)
  }
})
