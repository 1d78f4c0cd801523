import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { actionsOf, emailsTo, signedIn, type Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// Whoever runs this Florin, and what they see of merchants.

let house: House
let operator: Visitor
const base = '/dashboard/installation'

before(async () => {
  house = await openHouse()
  operator = await signedIn(house, { isOperator: true })
})
after(() => house.close())

const merchantNow = async (id = house.merchantId) =>
  (await readMerchant(house.db, id)) ?? assert.fail('no merchant')

test('merchants are found by name, number and state, page by page', async () => {
  for (let made = 0; made < 30; made += 1) await createMerchant(house.db, { name: `Shop ${made}` })
  const first = await operator.get(base)
  assert.equal(first.status, 200)
  assert.equal(first.text.match(/class="row"/g)?.length, 25)
  const older = /href="([^"]+cursor=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail()
  const second = await operator.get(older)
  assert.equal(second.text.match(/class="row"/g)?.length, 6)
  assert.match(second.text, /Corner shop/)

  const byName = await operator.get(`${base}?q=shop+1`)
  assert.equal(byName.text.match(/class="row"/g)?.length, 11)
  const byNumber = await operator.get(`${base}?q=${house.merchantId}`)
  assert.equal(byNumber.text.match(/class="row"/g)?.length, 1)
  assert.equal((await operator.get(`${base}?state=live`)).text.match(/class="row"/g)?.length, 1)
  assert.match((await operator.get(`${base}?q=%25%27%3B--`)).text, /No matching merchants/)
  for (const odd of ['cursor=x', 'state=x', `q=${'x'.repeat(200)}`])
    assert.equal((await operator.get(`${base}?${odd}`)).status, 400, odd)
})

test('a merchant is created, and its owner invited', async () => {
  const wrong = await operator.fill(`${base}/merchants/new`, { name: '', email: 'x', currencies: '' })
  assert.equal(wrong.status, 400)
  const odd = await operator.post(`${base}/merchants/new`, {
    name: 'A',
    email: 'a@b.example',
    currencies: 'EUR XXX',
  })
  assert.match(odd.text, /XXX is not a currency/)
  const made = await operator.fill(`${base}/merchants/new`, {
    name: 'Flower <b>',
    email: 'fleur@example.com',
    currencies: 'eur, usd',
  })
  assert.match(
    made.text,
    /value="[^"]+\/dashboard\/join\/\d{8}\/[\w-]{32}"/,
    'a link to send: no mail server is set up',
  )
  const path = /\/dashboard\/installation\/merchants\/\d{8}/.exec(made.text)?.[0] ?? ''
  const id = Number(path.split('/').at(-1))
  const merchant = await merchantNow(id)
  assert.deepEqual([...merchant.currencies.keys()], ['EUR', 'GBP', 'USD'])
  assert.equal(merchant.liveEnabled, false)
  assert.deepEqual(await actionsOf(house, id), ['merchant.created', 'team.invited'])
  assert.equal((await emailsTo(house, 'fleur@example.com')).length, 1)
  const page = await operator.get(path)
  assert.match(page.text, /Flower &lt;b&gt;/)
  const again = await operator.post(`${path}/owner`, { email: 'second@example.com' })
  assert.match(again.text, /Send this link/, 'a shop that lost its owner gets another')
  assert.equal((await operator.post(`${path}/owner`, { email: 'x' })).status, 400)
})

test('live payments are enabled after the command’s checks, and disabled at once', async () => {
  const id = await createMerchant(house.db, { name: 'Soon live' })
  const path = `${base}/merchants/${id}`
  const page = await operator.get(`${path}/live`)
  assert.match(page.text, /No network is connected/)
  assert.match(page.text, /others can read and change the traffic/)
  assert.doesNotMatch(page.text, /Turn live payments on|Turn on without/)
  const refused = await operator.post(`${path}/live`, { force: 'yes' })
  assert.equal(refused.status, 409)
  assert.equal((await merchantNow(id)).liveEnabled, false)

  const off = await operator.fill(
    `${base}/merchants/${house.merchantId}`,
    {},
    `${base}/merchants/${house.merchantId}/do/live-off`,
  )
  assert.equal(off.status, 303)
  assert.equal((await merchantNow()).liveEnabled, false)
  assert.ok((await actionsOf(house)).includes('merchant.changed'))
})

test('a new fee plan applies to payments from now on', async () => {
  const path = `${base}/merchants/${house.merchantId}`
  const earlier = await createPayment(house, { amount: '100.00' })
  for (const [fields, mistake] of [
    [{ share: '1,234', fixed_GBP: '0.20' }, /at most two decimals/],
    [{ share: '101', fixed_GBP: '0.20' }, /0 to 100/],
    [{ share: '1', fixed_GBP: '-1' }, /Enter an amount in GBP/],
    [{ share: '1', fixed_GBP: '0.001' }, /Enter an amount in GBP/],
    [{ share: '1', fixed_GBP: '99999999' }, /too large/],
  ] as const) {
    const wrong = await operator.fill(path, fields, `${path}/fees`)
    assert.equal(wrong.status, 400, JSON.stringify(fields))
    assert.match(wrong.text, mistake)
  }
  const saved = await operator.fill(path, { share: '2.9', fixed_GBP: '0.30' }, `${path}/fees`)
  assert.equal(saved.status, 303, saved.text)
  const { feeBasisPoints, currencies } = await merchantNow()
  assert.deepEqual([feeBasisPoints, currencies.get('GBP')], [290, 30n])
  assert.match((await operator.get(path)).text, /value="2\.90"/)
  assert.equal((await actionsOf(house)).filter((one) => one === 'merchant.fee_plan_changed').length, 1)
  await operator.fill(path, { share: '2.90', fixed_GBP: '0.30' }, `${path}/fees`)
  assert.equal((await actionsOf(house)).filter((one) => one === 'merchant.fee_plan_changed').length, 1)

  const charges = async (): Promise<string[]> => {
    const payment = await createPayment(house, { amount: '100.00' })
    const rows = await house.db.query<{ charge_minor: bigint }>(sql`
      select charge_minor from payments where number in (${earlier.number}, ${payment.number}) order by created_at`)
    return rows.map(({ charge_minor }) => String(charge_minor))
  }
  await waitUntil('the new plan holds', async () => (await charges()).at(-1) === '320')
  assert.equal((await charges())[0], '160', 'a payment that was there keeps its fee')
})

test('a merchant is suspended after a confirmation, and resumed', async () => {
  const path = `${base}/merchants/${house.merchantId}`
  const question = await operator.get(`${path}/suspend`)
  assert.match(question.text, /Suspend Corner shop\?/)
  assert.equal((await merchantNow()).isSuspended, false, 'looking changes nothing')
  assert.equal((await operator.post(`${path}/suspend`)).status, 303)
  const answered = async (): Promise<number> =>
    (await call(`${house.url}/api/transactions`, { key: house.secretKey })).status
  await waitUntil('keys are refused', async () => (await answered()) === 403)
  assert.match((await operator.get(`${base}?state=suspended`)).text, /Corner shop/)
  assert.equal((await operator.fill(path, {}, `${path}/do/resume`)).status, 303)
  await waitUntil('keys work', async () => (await answered()) === 200)
  assert.deepEqual((await actionsOf(house)).slice(-2), ['merchant.suspended', 'merchant.resumed'])
})

test('health shows what runs, what waits, and what is wrong', async () => {
  const { status, text } = await operator.get(`${base}/health`)
  assert.equal(status, 200)
  assert.match(text, /No worker is running/, 'in a test there is none')
  assert.match(text, /PostgreSQL[^]*up to date, \d+ migrations/)
  assert.match(text, /Deliveries waiting[^]*Requests/)
  assert.match(text, /Last backup[^]*none seen/)
  assert.match(text, /waiting<[^]*Live e-mail is sent once you set up a mail server/)
  assert.doesNotMatch(text, /kept here/)
})

test('payments ten minutes past their deadline are a problem, those nine minutes past it are not', async () => {
  const { number } = await createPayment(house)
  for (const [minutes, isLate] of [
    [9, false],
    [11, true],
  ] as const) {
    await house.db.query(sql`
      update payments set expires_at = now() - make_interval(mins => ${minutes})
      where merchant_id = ${house.merchantId} and number = ${number}`)
    const { text } = await operator.get(`${base}/health`)
    assert.equal(/passed their deadline ten minutes ago/.test(text), isLate, `${minutes} minutes`)
  }
})

test('an operator sees nothing inside a shop, and only operators see these pages', async () => {
  await createPayment(house, { email: 'secret.customer@example.com', tx_ref: 'inside-1' })
  const pages = [base, `${base}/health`, `${base}/merchants/${house.merchantId}`]
  for (const page of pages)
    assert.doesNotMatch((await operator.get(page)).text, /secret\.customer|inside-1|sk_test_/)
  assert.equal((await operator.get(`/dashboard/${house.merchantId}/test`)).status, 404)
  const owner = await signedIn(house, { role: 'owner' })
  for (const page of pages) assert.equal((await owner.get(page)).status, 404)
  assert.equal((await operator.get(`${base}/merchants/99999999`)).status, 404)
})
