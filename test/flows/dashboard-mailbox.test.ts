import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { openHouse, type House } from '../support/house.ts'
import { readPdf } from '../support/read-pdf.ts'
import { paidPayment, refund } from '../support/refunds.ts'
import { newestMail, someDelivery } from '../support/shop-day.ts'
import { emailsTo, newPerson, signedIn, Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// The mailbox at the dashboard: every mail of a shop, and no e-mail that lets somebody in.

let house: House
let owner: Visitor
let home: string
before(async () => {
  house = await openHouse()
  home = `/dashboard/${house.merchantId}/test`
  owner = await signedIn(house, { role: 'owner' })
})
after(() => house.close())

const page = async (path: string): Promise<string> => (await owner.get(home + path)).text
const rowsIn = (text: string): number => text.match(/class="row"/g)?.length ?? 0

/** A receipt of live mode that is in this state. */
async function liveMail(state: 'delivered' | 'failed' | 'kept', target: string): Promise<string> {
  const [row] = await house.db.query<{ body: string }>(sql`
    select body from deliveries where id = ${await newestMail(house)}`)
  const error = state === 'failed' ? { error: 'EENVELOPE', answer: '550 <b>no such user</b>' } : {}
  return someDelivery(house, { kind: 'mail', mode: 'live', state, target, body: row?.body ?? '', ...error })
}

test('a test mail is shown as it would be sent, as text and as HTML', async () => {
  assert.match(await page('/mailbox'), /No e-mail yet/)
  const payment = await paidPayment(house, 'good', { email: 'grace@example.com', first_name: 'Grace' })
  const id = await newestMail(house)
  const list = await page('/mailbox')
  assert.match(list, /grace@example\.com/)
  assert.match(list, /send e-mail in test mode/)
  const text = await page(`/mailbox/${id}?as=text`)
  assert.match(text, /Grace/)
  assert.match(text, new RegExp(`${home}/payments/${payment.number}`))
  assert.doesNotMatch(text, /<iframe/)
  assert.match(await page(`/mailbox/${id}`), /<iframe[^>]*src="[^"]*\/html"[^>]*sandbox/)
  assert.doesNotMatch(await page(`/mailbox/${id}`), /Send again/, 'there is nowhere to send it')
})

test('the mail preview can’t run, load or send anything, and only its own page may frame it', async () => {
  await paidPayment(house)
  const id = await newestMail(house)
  const drawn = await owner.get(`${home}/mailbox/${id}/html`)
  assert.match(drawn.headers.get('content-type') ?? '', /text\/html/)
  const policy = drawn.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'/)
  assert.match(policy, /; sandbox$/)
  assert.match(policy, /frame-ancestors 'self'/)
  assert.doesNotMatch(policy, /script-src|allow-/)
  assert.equal(drawn.headers.get('x-frame-options'), 'SAMEORIGIN')
  assert.equal(drawn.headers.get('cache-control'), 'no-store')
  const around = await owner.get(`${home}/mailbox/${id}`)
  assert.match(around.headers.get('content-security-policy') ?? '', /frame-src 'self'/)
  const other = await owner.get(`${home}/mailbox`)
  assert.doesNotMatch(other.headers.get('content-security-policy') ?? '', /frame-src/)
})

test('a mail’s attachment can be viewed and downloaded, only in its shop and mode', async () => {
  const payment = await paidPayment(house, 'good')
  const receipt = await newestMail(house)
  assert.doesNotMatch(await page(`/mailbox/${receipt}`), /Attachment/)
  assert.equal((await owner.get(`${home}/mailbox/${receipt}/attachment`)).status, 404)

  await refund(house, payment, { amount: '4.00', refund_ref: 'too-long-sleeves' })
  await waitUntil('the mail is written', async () => (await newestMail(house)) !== receipt)
  const id = await newestMail(house)
  const path = `${home}/mailbox/${id}/attachment`
  const [, name = ''] =
    new RegExp(`href="${path}" download="(refund-FL\\w+\\.pdf)"`).exec(await page(`/mailbox/${id}`)) ?? []
  assert.notEqual(name, '')
  const answer = await fetch(house.url + path, { headers: { cookie: cookiesOf(owner) } })
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const { texts } = readPdf(Buffer.from(await answer.arrayBuffer()))
  assert.match(texts.join(' '), /too-long-sleeves/)

  const live = path.replace('/test/', '/live/')
  assert.equal((await owner.get(live)).status, 404, 'of the other mode')
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  const stranger = await signedIn(house, { role: 'owner', merchantId: elsewhere })
  assert.equal((await stranger.get(path)).status, 404, 'of a shop that is not theirs')
  assert.equal((await stranger.get(`/dashboard/${elsewhere}/test/mailbox/${id}/attachment`)).status, 404)
  const viewer = await signedIn(house, { role: 'viewer' })
  assert.equal((await viewer.get(path)).status, 403)
})

const cookiesOf = ({ cookies }: Visitor): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

test('mails are found by the full address in any case, and the shop’s own mails by its address', async () => {
  await paidPayment(house, 'good', { email: 'Linus@example.com' })
  const body = JSON.stringify({ template: 'card_testing', declines: 40 })
  const merchantId = await createMerchant(house.db, { name: 'Own', email: 'boss@shop.example' })
  await someDelivery(house, { merchantId, kind: 'mail', state: 'kept', target: 'merchant', body })
  const boss = await signedIn(house, { role: 'owner', merchantId })
  assert.equal(rowsIn(await page('/mailbox?address=linus@EXAMPLE.com')), 1)
  assert.equal(rowsIn(await page('/mailbox?address=inus@example.com')), 0)
  const own = (await boss.get(`/dashboard/${merchantId}/test/mailbox?address=Boss@shop.example`)).text
  assert.equal(rowsIn(own), 1)
  assert.match(own, /testing cards/)
})

test('older mails are behind a cursor, each shown once', async () => {
  const [{ body } = { body: '' }] = await house.db.query<{ body: string }>(sql`
    select body from deliveries where id = ${await newestMail(house)}`)
  for (let made = 0; made < 30; made += 1)
    await someDelivery(house, { kind: 'mail', state: 'kept', target: 'page@example.com', body })
  for (const address of ['', 'page@example.com']) {
    const seen: string[] = []
    let path = `/mailbox?address=${address}`
    for (let pages = 0; path !== '' && pages < 5; pages += 1) {
      const text = await page(path)
      seen.push(
        ...[...text.matchAll(/class="row" href="[^"]*\/(msg_[\w-]+)"/g)].map((match) => match[1] ?? ''),
      )
      path = (/href="([^"]*)">Older/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&').replace(home, '')
    }
    assert.ok(seen.length >= 30, `${seen.length}`)
    assert.equal(new Set(seen).size, seen.length)
  }
})

test('live mail shows its status, and can be resent by permitted roles, with an audit entry', async () => {
  const live = home.replace('/test', '/live')
  const sent = await liveMail('delivered', 'sent@example.com')
  const failed = await liveMail('failed', 'gone@example.com')
  const list = (await owner.get(`${live}/mailbox`)).text
  assert.match(list, /gone@example\.com/)
  assert.match(list, /No mail server is set up/)
  assert.equal(rowsIn((await owner.get(`${live}/mailbox?address=SENT@example.com`)).text), 1)
  const { text } = await owner.get(`${live}/mailbox/${failed}`)
  assert.match(text, /550 &lt;b&gt;no such user/)
  assert.equal((await owner.post(`${live}/mailbox/${failed}/do/resend`)).status, 303)
  const [row] = await house.db.query<{ state: string }>(
    sql`select state from deliveries where id = ${failed}`,
  )
  assert.notEqual(row?.state, 'failed')
  assert.equal((await owner.get(`${home}/mailbox/${sent}`)).status, 404, 'of the other mode')
  await owner.get(`${home}/mailbox`)
  assert.equal((await owner.post(`${home}/mailbox/${await newestMail(house)}/do/resend`)).status, 404)
})

test('mails to people who sign in are never shown here, to anyone', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const visitor = new Visitor(house)
  await visitor.fill('/dashboard/forgotten', { email: person.email })
  const [letter] = await emailsTo(house, person.email)
  assert.ok(letter)
  const [row] = await house.db.query<{ body: string }>(
    sql`select body from deliveries where id = ${letter.id}`,
  )
  // As if one had been written in the name of a shop by mistake.
  const planted = await someDelivery(house, {
    kind: 'mail',
    mode: 'live',
    state: 'kept',
    target: person.email,
    body: row?.body ?? '',
  })
  const live = home.replace('/test', '/live')
  for (const id of [letter.id, planted])
    for (const path of [
      `${live}/mailbox/${id}`,
      `${live}/mailbox/${id}/html`,
      `${live}/mailbox/${id}/attachment`,
      `${home}/mailbox/${id}`,
    ])
      assert.equal((await owner.get(path)).status, 404, path)
  const list = (await owner.get(`${live}/mailbox?address=${person.email}`)).text
  assert.doesNotMatch(list, /class="row"/)
  assert.equal((await owner.get('/dashboard/00000000/live/mailbox')).status, 404, 'of the installation')
})

test('another merchant’s mail is not found, and a viewer reads none', async () => {
  const other = await createMerchant(house.db, { name: 'Elsewhere' })
  const stranger = await signedIn(house, { role: 'owner', merchantId: other })
  const id = await newestMail(house)
  assert.equal((await stranger.get(`/dashboard/${other}/test/mailbox/${id}`)).status, 404)
  assert.equal((await stranger.get(`/dashboard/${other}/test/mailbox/${id}/html`)).status, 404)
  const viewer = await signedIn(house, { role: 'viewer' })
  assert.equal((await viewer.get(`${home}/mailbox/${id}/html`)).status, 403)
})
