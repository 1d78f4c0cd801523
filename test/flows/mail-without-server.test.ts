import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Worker } from '../../src/worker.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { waitUntil } from '../support/wait-until.ts'

// Without SMTP_URL mail of both modes stays in the mailbox: of test mode in the payment's own commit, of live mode once
// the worker has found that there is nobody to give it to.

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

type Listed = { kind: string; state: string; attempts: unknown[] }

test('live mail is kept after one look, can be read, and is not tried again', async () => {
  const payment = await createPayment(house, { email: 'ada@example.com' }, house.liveKey)
  await happens(house, payment, 'paid')
  const owner = { merchantId: house.merchantId, mode: 'live' } as const
  await waitUntil('it is kept', async () => (await house.app.mailbox.list(owner)).length === 1)
  const [mail] = await house.app.mailbox.list(owner)
  assert.ok(mail)
  assert.deepEqual([mail.to, mail.number, mail.event], ['ada@example.com', payment.number, 'payment.success'])
  assert.ok(!mail.text.includes('Test payment.'))
  assert.deepEqual(await house.app.mailbox.find({ ...owner, id: mail.id }), mail)
  assert.equal(await house.app.mailbox.find({ ...owner, mode: 'test', id: mail.id }), undefined)

  const url = `${house.url}/api/transaction/${payment.txRef}/notifications`
  const listed = (await call(url, { key: house.liveKey })).json.data as Listed[]
  const ofMail = listed.find(({ kind }) => kind === 'mail')
  assert.deepEqual([ofMail?.state, ofMail?.attempts], ['kept', []])
})

test('the mailbox shows the newest mail first, and each mode its own', async () => {
  const subjects: string[] = []
  for (const amount of ['1', '2']) {
    const payment = await createPayment(house, { amount })
    await happens(house, payment, 'paid')
    subjects.unshift(`Receipt from Corner shop: £${amount}.00`)
  }
  const mails = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    subjects,
  )
})
