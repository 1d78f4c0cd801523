import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/database/sql.ts'
import type { Worker } from '../../src/worker.ts'
import { newLink } from '../support/customer.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { waitUntil } from '../support/wait-until.ts'

let house: House
let worker: Worker

before(async () => {
  house = await openHouse()
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
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

test('the receipt is written in the language that the customer paid in', async () => {
  const rows: [string, RegExp][] = [
    ['fr', /^Reçu de Corner shop/],
    ['de', /Corner shop/],
    ['en', /Corner shop/],
  ]
  const subjects: string[] = []
  for (const [language, shape] of rows) {
    const number = await payIn(language)
    let subject = ''
    await waitUntil('the mail is in the mailbox', async () => {
      const mails = await house.db.query<{ subject: string }>(
        sql`select subject from mailbox where number = ${number}`,
      )
      subject = mails[0]?.subject ?? ''
      return mails.length > 0
    })
    assert.match(subject, shape)
    subjects.push(subject)
  }
  assert.equal(new Set(subjects).size, rows.length, subjects.join('; '))
})
