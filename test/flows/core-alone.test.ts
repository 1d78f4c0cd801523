import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import type { Worker } from '../../src/platform/jobs/worker.ts'
import { challengeCard, goodCard, newLink } from '../support/customer.ts'
import { fieldsIn, plainText } from '../support/fields-in.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { create, listUrl, remove } from '../support/project-calls.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { lookUp, payOnPage, sendForm } from '../support/saved-methods.ts'
import { signedIn } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// Florin without any module does all that the service is for: links, look-ups, the checkout, notifications, receipts,
// forms, test and live keys, projects.

let house: House
let worker: Worker
let shop: Receiver
before(async () => {
  shop = await openReceiver()
  house = await openHouse({ world: { modules: [] } })
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
  await shop.close()
})

test('a link is made once, and looked up by its reference', async () => {
  const request = paymentRequest()
  const made = await post(`${house.url}/api/payment`, request, house.secretKey)
  assert.equal(made.status, 201, made.text)
  assert.match((made.json.data as { checkout_url: string }).checkout_url, /\/payment\/\d{32}$/)
  const again = await post(`${house.url}/api/payment`, request, house.secretKey)
  assert.equal(again.status, 409)
  const found = (await lookUp(house, String(request['tx_ref']))) as unknown as Record<string, unknown>
  assert.deepEqual([found['status'], found['mode'], found['type']], ['pending', 'test', 'API'])
  assert.equal((await call(`${house.url}/api/transaction/none`, { key: house.secretKey })).status, 404)
  assert.equal((await call(`${house.url}/api/transaction/`, { key: house.secretKey })).status, 400)
  assert.equal((await call(`${house.url}/api/transaction/none`)).status, 401)
})

test('a customer is declined, pays, gets a receipt and goes back; the merchant is notified', async () => {
  const request = {
    callback_url: shop.url,
    return_url: 'https://shop.example.com/done',
    email: 'ada@example.com',
  }
  const link = await newLink(house, request)
  await payOnPage(link, '4000 0000 0000 0002')
  assert.match(plainText((await call(link.url)).text), /declined/i)
  await payOnPage(link, goodCard)
  assert.equal((await lookUp(house, link.txRef)).status, 'success')
  const page = await call(link.url)
  assert.match(plainText(page.text), /Payment received|Paid|Thank you/i)
  assert.equal((await call(`${link.url}/receipt.pdf`)).headers.get('content-type'), 'application/pdf')
  const back = await call(`${link.url}/done`)
  assert.match(back.headers.get('location') ?? back.text, /shop\.example\.com\/done\?[^"]*tx_ref=/)

  const [ipn] = await shop.first(1)
  assert.ok(ipn)
  const [known] = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  assert.ok(known)
  assert.equal(ipn.headers['signature'], createHmac('sha256', known.secret).update(ipn.body).digest('hex'))
  await waitUntil('the receipt is in the mailbox', async () => {
    const all = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
    return all.some(({ to }) => to === 'ada@example.com')
  })
})

test('a bank may ask the customer to approve', async () => {
  const link = await newLink(house)
  await payOnPage(link, challengeCard)
  const fields = fieldsIn((await call(link.url)).text)
  assert.equal((await sendForm(`${link.url}/challenge`, { ...fields, answer: 'approve' })).status, 303)
  assert.equal((await lookUp(house, link.txRef)).status, 'success')
})

test('a form on a web page starts a payment, and a wrong one is refused on a page', async () => {
  const fields = { ...paymentRequest(), secret_key: house.secretKey, title: 'Order', meta: '' } as Record<
    string,
    string
  >
  const sent = await sendForm(`${house.url}/ext_transfer`, fields)
  assert.equal(sent.status, 303, sent.text)
  assert.match(sent.headers.get('location') ?? '', /\/payment\/\d{32}$/)
  const wrong = await sendForm(`${house.url}/ext_transfer`, { ...fields, amount: 'ten' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.headers.get('content-type') ?? '', /text\/html/)
})

test('live keys are apart', async () => {
  const request = paymentRequest()
  const made = await post(`${house.url}/api/payment`, request, house.liveKey)
  assert.equal(made.status, 201, made.text)
  assert.equal(
    (await call(`${house.url}/api/transaction/${String(request['tx_ref'])}`, { key: house.secretKey }))
      .status,
    404,
  )
})

test('projects are listed, searched and deleted', async () => {
  const { id } = await create(house, house.apiKey, 'Summer fair')
  await create(house, house.apiKey, 'Winter fair')
  const found = await call(`${listUrl(house)}?search=summer&sort=asc`, { key: house.apiKey })
  assert.deepEqual(
    (found.json.data as unknown as { project: string }[]).map(({ project }) => project),
    ['Summer fair'],
  )
  assert.equal((await remove(house, house.apiKey, id)).status, 200)
  assert.equal((await remove(house, house.apiKey, id)).status, 404)
})

test('what modules bring isn’t there, and nothing leads to it', async () => {
  for (const path of ['refunds', 'disputes', 'payouts', 'saved-methods'])
    assert.equal((await call(`${house.url}/api/${path}`, { key: house.secretKey })).status, 404, path)
  const saved = await post(
    `${house.url}/api/payment`,
    paymentRequest({ save: 'recurring', customer_ref: 'ada' }),
    house.secretKey,
  )
  assert.equal(saved.status, 422)
  const { paths } = (await call(`${house.url}/openapi.json`)).json as unknown as { paths: object }
  assert.ok(!Object.keys(paths).some((path) => /refund|dispute|payout|saved/.test(path)))
  assert.equal((await call(`${house.url}/docs`)).status, 200)
  const owner = await signedIn(house, { role: 'owner' })
  const home = `/dashboard/${house.merchantId}/test`
  for (const path of ['', '/payments', '/keys', '/projects', '/settings/shop', '/settings/payments'])
    assert.equal((await owner.get(home + path)).status, 200, path)
  assert.doesNotMatch((await owner.get(home)).text, /href="[^"]*\/(?:refunds|payouts|customers|links)"/)
})
