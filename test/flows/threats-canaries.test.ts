import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { changeMerchant } from '../../src/core/merchants/create-merchant.ts'
import { newLink } from '../support/customer.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { openMailServer, type MailServer } from '../support/mail-server.ts'
import { happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { dumpTables, readMetrics } from '../support/search-everything.ts'
import { sendRaw } from '../support/raw-request.ts'
import { waitUntil } from '../support/wait-until.ts'

// Secrets are planted wherever one can be typed, everything is made to go wrong, and then every place that could have
// kept them is searched: log, tables, metrics, mail, answers.

const canary = {
  card: '4012888888881881',
  grouped: '4012 8888 8888 1881',
  email: 'canary.ada.7731@example.com',
  mailPassword: 'canary-mail-password-7731',
}
let house: House
let mail: MailServer
const answers: string[] = []

before(async () => {
  mail = await openMailServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_, __, done) => done(null, { user: 'florin' }),
  })
  const smtp = mail.url.replace('smtp://', `smtp://florin:${canary.mailPassword}@`)
  house = await openHouse({ settings: { SMTP_URL: smtp } })
  const worker = house.app.startWorker()
  await provoke()
  await worker.stop()
})
after(async () => {
  await house.close()
  await mail.close()
})

function keep(answer: Answer): Answer {
  answers.push(`${JSON.stringify([...answer.headers])}\n${answer.text}`)
  return answer
}

async function provoke(): Promise<void> {
  await typeCards()
  await showKeys()
  await breakTheDatabase()
  await sendMail()
}

/** A card number that is none of ours, typed everywhere a customer or a developer could type it. */
async function typeCards(): Promise<void> {
  const link = await newLink(house, { email: canary.email })
  const token = /name="token" value="([^"]+)"/.exec((await call(link.url)).text)?.[1] ?? ''
  for (const number of [canary.card, canary.grouped, '4242 4242 4242 4242']) {
    const fields = { token, number, expiry: '12 / 34', cvc: '737', name: 'Ada Lovelace' }
    const body = new URLSearchParams(fields).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    keep(await call(`${link.url}/pay`, { method: 'POST', body, headers }))
  }
  const fields = [
    { first_name: canary.card },
    { last_name: `Lovelace ${canary.grouped}` },
    { email: `${canary.card}@example.com` },
    { customization: { title: canary.grouped } },
    { customization: { description: `Card ${canary.card}` } },
    { meta: { card: canary.card } },
    { meta: { payer: { card_number: canary.grouped } } },
    { meta: { cvv: canary.card } },
  ]
  for (const field of fields) {
    const answer = keep(await post(`${house.url}/api/payment`, paymentRequest(field), house.secretKey))
    assert.equal(answer.status, 400, answer.text)
  }
}

/** Keys where they do not belong: in addresses, in the wrong field, in a form, in broken requests. */
async function showKeys(): Promise<void> {
  const { url, secretKey, liveKey, apiKey } = house
  for (const key of [secretKey, liveKey, apiKey]) {
    keep(await call(`${url}/api/transaction/${key}`, { key: secretKey }))
    keep(await call(`${url}/api/transactions?email=${key}`, { key: secretKey }))
    // Its links repeat the search, to the one who sent it: the log must not.
    await call(`${url}/api/v1/projects?search=${key}`, { key: apiKey })
    keep(await call(`${url}/payment/${key}`))
    keep(await call(`${url}/nowhere/${key}?key=${key}`))
    keep(await call(`${url}/api/payment`, { method: 'POST', body: `{"secret_key":"${key}"`, key }))
    keep(await post(`${url}/api/payment`, { tx_ref: 'x' }, `${key}0`))
    const body = new URLSearchParams({ secret_key: key, tx_ref: '' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    keep(await call(`${url}/ext_transfer`, { method: 'POST', body, headers }))
    answers.push((await sendRaw(url, `GET / HTTP/9.9\r\nAuthorization: Bearer ${key}\r\n\r\n`)).body)
  }
}

/** A bug of ours, as PostgreSQL would see it: the row is in its words, and none of it in ours. */
async function breakTheDatabase(): Promise<void> {
  const request = paymentRequest({ email: canary.email })
  await house.db.query(
    sql`alter table payments add constraint broken check (email not like 'canary%') not valid`,
  )
  assert.equal(keep(await post(`${house.url}/api/payment`, request, house.secretKey)).status, 500)
  await house.db.query(sql`alter table payments drop constraint broken`)
  await house.db.query(sql`alter table payments rename to payments_away`)
  assert.equal(keep(await post(`${house.url}/api/payment`, request, house.secretKey)).status, 500)
  keep(await call(`${house.url}/payment/${'1'.repeat(32)}`))
  await house.db.query(sql`alter table payments_away rename to payments`)
}

async function sendMail(): Promise<void> {
  await changeMerchant(house.db, house.merchantId, { liveEnabled: true })
  const request = paymentRequest({ email: canary.email })
  const created = await post(`${house.url}/api/payment`, request, house.liveKey)
  const digits = (created.json.data as { checkout_url: string }).checkout_url.slice(-32)
  await happens(house, { merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }, 'paid')
  await waitUntil('the receipt is sent', () => mail.accepted.length > 0)
}

async function everywhere(): Promise<Record<string, string>> {
  return {
    log: house.log(),
    tables: await dumpTables(house),
    metrics: await readMetrics(house),
    mail: mail.accepted.map(({ raw }) => raw).join('\n'),
    answers: answers.join('\n'),
  }
}

test('no key is stored anywhere after it was shown once', async () => {
  for (const [place, text] of Object.entries(await everywhere())) {
    for (const key of [house.secretKey, house.liveKey, house.apiKey]) {
      assert.ok(!text.includes(key), `${place} has a key`)
      assert.ok(!text.includes(key.slice(0, -8)), `${place} has most of a key`)
    }
  }
})

test('no card number is stored anywhere, refused or paid with', async () => {
  for (const [place, text] of Object.entries(await everywhere())) {
    for (const number of [canary.card, canary.grouped]) {
      assert.ok(!text.includes(number), `${place} has a card number`)
    }
  }
  for (const [place, text] of Object.entries(await everywhere())) {
    if (place !== 'log' && place !== 'tables' && place !== 'metrics') continue
    assert.ok(!/4242 ?4242 ?4242 ?4242/.test(text), `${place} has the test card`)
  }
})

test('a customer’s address is only in the tables and in the mail', async () => {
  const { tables, mail: mails, log, metrics, answers: answered } = await everywhere()
  assert.ok(tables?.includes(canary.email) && mails?.includes(canary.email), 'the search finds what is there')
  for (const [place, text] of Object.entries({ log, metrics, answered })) {
    assert.ok(!text?.includes(canary.email), `${place} has the address`)
  }
})

test('none of our passwords is stored anywhere', async () => {
  const database = new URL(house.databaseUrl).password
  assert.ok(database.length > 8)
  for (const [place, text] of Object.entries(await everywhere())) {
    for (const password of [canary.mailPassword, database]) {
      assert.ok(!text.includes(password), `${place} has a password`)
    }
  }
})
