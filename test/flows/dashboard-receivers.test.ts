import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { browseDeliveries } from '../../src/core/notifications/receivers/browse-deliveries.ts'
import { openHouse, type House } from '../support/house.ts'
import { answerWith, openReceiver } from '../support/receiver.ts'
import { newestMail, someDelivery } from '../support/shop-day.ts'
import { paidPayment } from '../support/refunds.ts'
import { newPerson, signedIn, Visitor } from '../support/visitor.ts'

// Receivers and notifications at the dashboard: how they stand, what is done about it, and who did it.

let house: House
let owner: Visitor
let home: string
let personId: string
before(async () => {
  house = await openHouse()
  home = `/dashboard/${house.merchantId}/test`
  owner = new Visitor(house)
  const person = await newPerson(house, { role: 'owner' })
  personId = person.id
  await owner.signIn(person)
})
after(() => house.close())

const page = async (path: string): Promise<string> => (await owner.get(home + path)).text
const receiverPath = (origin: string): string =>
  `/notifications/receiver?${new URLSearchParams({ origin }).toString()}`

async function entryOf(action: string): Promise<{ actor: string; subject: string } | undefined> {
  const rows = await house.db.query<{ actor: string; subject: string }>(sql`
    select actor, subject from audit_log where merchant_id = ${house.merchantId} and action = ${action}
    order by at desc limit 1`)
  return rows[0]
}

async function stateOf(id: string): Promise<string | undefined> {
  const rows = await house.db.query<{ state: string }>(sql`select state from deliveries where id = ${id}`)
  return rows[0]?.state
}

test('without notifications the page says how to get one', async () => {
  assert.match(await page('/notifications'), /No receivers yet/)
  assert.match(await page('/notifications/sent'), /No notifications yet/)
})

test('a receiver shows waiting and failed deliveries with each reason in words', async () => {
  const origin = 'https://broken.example'
  await someDelivery(house, { origin, status: 500, answer: '<script>alert(1)</script>' })
  await someDelivery(house, { origin, status: 500 })
  await someDelivery(house, { origin, error: 'tls_failed' })
  await someDelivery(house, { origin, state: 'waiting' })
  await house.db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at)
    values (${house.merchantId}, 'test', ${origin}, now(), now())`)
  const list = await page('/notifications')
  assert.match(list, /https:\/\/broken\.example/)
  assert.match(list, /failing/)
  const text = await page(receiverPath(origin))
  assert.match(text, /Answered 500/)
  assert.match(text, /The certificate is not valid/)
  assert.ok(text.indexOf('Answered 500') < text.indexOf('certificate'), 'the most frequent first')
  assert.equal((await owner.get(home + receiverPath('https://nobody.example'))).status, 404)
})

test('permitted roles pause a receiver, deliveries wait, and resuming sends them; both are audited', async () => {
  const origin = 'https://pausing.example'
  const id = await someDelivery(house, { origin, state: 'waiting' })
  await house.db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at)
    values (${house.merchantId}, 'test', ${origin}, now() - interval '2 hours', now())`)
  const confirm = await page(receiverPath(origin).replace('receiver?', 'receiver/pause?'))
  assert.match(confirm, /Notifications wait/)
  const paused = await owner.post(`${home}/notifications/receiver/pause`, { origin })
  assert.equal(paused.status, 303)
  assert.equal(await stateOf(id), 'paused')
  assert.deepEqual(await entryOf('receiver.paused'), { actor: personId, subject: origin })
  const text = await page(receiverPath(origin))
  assert.match(text, /Someone on your team paused it/)
  assert.equal((await owner.post(`${home}/notifications/receiver/pause`, { origin })).status, 404, 'once')
  const resumed = await owner.post(`${home}/notifications/receiver/do/resume`, { origin })
  assert.equal(resumed.status, 303)
  assert.notEqual(await stateOf(id), 'paused')
  assert.deepEqual(await entryOf('receiver.resumed'), { actor: personId, subject: origin })
})

test('an origin that never received anything can’t be paused', async () => {
  await page('/notifications')
  const { status } = await owner.post(`${home}/notifications/receiver/pause`, {
    origin: 'https://never.example',
  })
  assert.equal(status, 404)
  const rows = await house.db.query(sql`select from receivers where origin = 'https://never.example'`)
  assert.equal(rows.length, 0)
})

test('all failed deliveries of one receiver are resent, and no others', async () => {
  const origin = 'https://outage.example'
  const failed = [await someDelivery(house, { origin }), await someDelivery(house, { origin })]
  const other = await someDelivery(house, { origin: 'https://other.example' })
  assert.match(await page(receiverPath(origin).replace('receiver?', 'receiver/resend?')), /2 notifications/)
  const sent = await owner.post(`${home}/notifications/receiver/resend`, { origin })
  assert.equal(sent.status, 303)
  for (const id of failed) assert.notEqual(await stateOf(id), 'failed')
  assert.equal(await stateOf(other), 'failed')
  assert.equal((await entryOf('notifications.resent'))?.actor, personId)
})

test('a test is sent while the page waits, and its answer is shown', async () => {
  const receiver = await openReceiver(answerWith(200, {}, 'thank you'))
  const sent = await owner.fill(`${home}/notifications/test`, {
    callback_url: receiver.url,
    event: 'refund.failed',
  })
  assert.match(sent.to, /\/notifications\/sent\/evt_/)
  assert.match(receiver.received[0]?.body ?? '', /"event":"refund.failed"/)
  const text = (await owner.get(sent.to)).text
  assert.match(text, /Your server received the test\./)
  assert.match(text, /thank you/)
  assert.equal((await entryOf('notifications.test_sent'))?.actor, personId)
  await receiver.close()
  const lost = await owner.fill(`${home}/notifications/test`, { callback_url: receiver.url, event: '' })
  assert.match((await owner.get(lost.to)).text, /Your server did not accept the test\.[^]*No connection/)
})

test('an invalid test keeps the input, and live mode refuses private addresses', async () => {
  const wrong = await owner.fill(`${home}/notifications/test`, { callback_url: 'not a url', event: 'x' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /value="not a url"/)
  const live = home.replace('/test', '/live')
  const plain = await owner.fill(`${live}/notifications/test`, {
    callback_url: 'http://127.0.0.1/',
    event: '',
  })
  assert.equal(plain.status, 400)
  const inside = await owner.fill(`${live}/notifications/test`, {
    callback_url: 'https://127.0.0.1/',
    event: '',
  })
  assert.match((await owner.get(inside.to)).text, /The address is private/)
})

test('a notification shows every answer as text, and is resent once, only in its own mode', async () => {
  const id = await someDelivery(house, { status: 503, answer: '<script>alert(1)</script>' })
  const text = await page(`/notifications/sent/${id}`)
  assert.match(text, /Attempt 1: Answered 503/)
  assert.match(text, /&lt;script&gt;alert\(1\)/)
  assert.doesNotMatch(text, /<script>alert/)
  assert.match(text, /&quot;amount&quot;: 10\.00/, 'numbers as they were written')
  const live = home.replace('/test', '/live')
  assert.equal((await owner.get(`${live}/notifications/sent/${id}`)).status, 404)
  assert.equal((await owner.post(`${live}/notifications/sent/${id}/do/resend`)).status, 404)
  await owner.get(home)
  assert.equal((await owner.post(`${home}/notifications/sent/${id}/do/resend`)).status, 303)
  assert.notEqual(await stateOf(id), 'failed')
})

test('a mail is no notification: this page neither shows nor resends it', async () => {
  await paidPayment(house)
  const mail = await newestMail(house)
  assert.equal((await owner.get(`${home}/notifications/sent/${mail}`)).status, 404)
  await owner.get(`${home}/notifications`)
  assert.equal((await owner.post(`${home}/notifications/sent/${mail}/do/resend`)).status, 404)
})

test('notifications are filtered by receiver, state and event, each shown once', async () => {
  const origin = 'https://many.example'
  for (let made = 0; made < 30; made += 1) await someDelivery(house, { origin, event: 'payment.expired' })
  await someDelivery(house, { origin, state: 'delivered', event: 'payment.failed', status: 200 })
  const seen: string[] = []
  let path = `/notifications/sent?receiver=${encodeURIComponent(origin)}&state=failed`
  for (let pages = 0; path !== '' && pages < 5; pages += 1) {
    const text = await page(path)
    seen.push(
      ...[...text.matchAll(/class="row" href="[^"]*\/(evt_[\w.-]+)"/g)].map((match) => match[1] ?? ''),
    )
    path = (/href="([^"]*)">Older/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&').replace(home, '')
  }
  assert.equal(seen.length, 30)
  assert.equal(new Set(seen).size, 30)
  const delivered = await page(`/notifications/sent?receiver=${origin}&state=delivered`)
  assert.equal(delivered.match(/class="row"/g)?.length, 1)
  assert.match(delivered, /payment\.failed/)
})

test('rare notifications are searched in steps: a page reads a limited number of rows and says where to continue', async () => {
  const merchantId = await createMerchant(house.db, { name: 'Rare' })
  const rare = await someDelivery(house, { merchantId, event: 'dispute.won' })
  for (let made = 0; made < 5; made += 1) await someDelivery(house, { merchantId })
  const of = { merchantId, mode: 'test' } as const
  const first = await browseDeliveries(house.db, of, { event: 'dispute.won' }, 3)
  assert.deepEqual([first.deliveries.length, first.isCutShort], [0, true])
  const query = { event: 'dispute.won', cursor: first.nextCursor }
  const second = await browseDeliveries(house.db, of, query, 3)
  assert.deepEqual(
    second.deliveries.map(({ id }) => id),
    [rare],
  )
})

test('support can resend but change no receiver, and a viewer sees nothing', async () => {
  const origin = 'https://support.example'
  await someDelivery(house, { origin })
  const support = await signedIn(house, { role: 'support' })
  const { text } = await support.get(home + receiverPath(origin))
  assert.match(text, /Resend failed/)
  assert.doesNotMatch(text, />Pause</)
  assert.equal((await support.post(`${home}/notifications/receiver/pause`, { origin })).status, 403)
  const viewer = await signedIn(house, { role: 'viewer' })
  assert.equal((await viewer.get(`${home}/notifications`)).status, 403)
})

test('an endpoint is added, edited, paused, given a new secret and deleted', async () => {
  const add = `${home}/notifications/endpoints/new`
  const url = 'https://hooks.example.com/florin'
  const missing = await owner.fill(add, { url: '', description: 'Kept' })
  assert.equal(missing.status, 400)
  assert.match(missing.text, /url is required[^]*value="Kept"/)
  const added = await owner.fill(add, { url, 'event payment.success': 'yes' })
  assert.match(added.text, /whsec_/)
  const twice = await owner.fill(add, { url })
  assert.equal(twice.status, 400, 'a URL that is taken is a mistake in the form')
  assert.match(twice.text, /id="url-error"/)

  const [, path = ''] = /href="([^"]*endpoints\/ep_\w+)"/.exec(await page('/notifications/endpoints')) ?? []
  const empty = await owner.fill(`${path}/edit`, { url: '' })
  assert.equal(empty.status, 400, 'an endpoint keeps a URL')
  assert.match(empty.text, /url is required/)
  assert.equal((await owner.fill(`${path}/edit`, { url: `${url}/2`, description: 'Books' })).status, 303)
  const edited = (await owner.get(path)).text
  for (const words of [`${url}/2`, 'Books', 'All, including ones added later', 'Pause'])
    assert.ok(edited.includes(words), words)
  assert.equal((await owner.fill(path, {}, `${path}/do/pause`)).status, 303)
  assert.match((await owner.get(path)).text, /Nothing is sent here/)
  assert.equal((await owner.fill(path, {}, `${path}/do/resume`)).status, 303)
  assert.doesNotMatch((await owner.get(path)).text, /Nothing is sent here/)
  const rolled = await owner.fill(`${path}/roll`, { overlap: '24' })
  assert.match(rolled.text, /whsec_/)
  assert.notEqual(/whsec_\w+/.exec(rolled.text)?.[0], /whsec_\w+/.exec(added.text)?.[0])
  assert.equal((await owner.fill(`${path}/delete`, {})).status, 303)
  assert.equal((await owner.get(path)).status, 404)
})
