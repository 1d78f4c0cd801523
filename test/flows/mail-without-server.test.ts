import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import type { Worker } from '../../src/platform/jobs/worker.ts'
import { noteBackup } from '../../src/platform/database/watch/installation-times.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { openMailServer } from '../support/mail-server.ts'
import { createPayment, happens } from '../support/pay.ts'
import { runFlorin } from '../support/run-florin.ts'
import { waitUntil } from '../support/wait-until.ts'

// Without SMTP_URL mail of test mode stays in the mailbox, in the payment's own commit. Mail of live mode waits, and can
// be read meanwhile, once the worker has found that there is nobody to give it to.

let house: House
let worker: Worker

before(async () => {
  house = await openHouse()
  await noteBackup(house.db)
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
})

type Listed = { kind: string; status: string; attempts: unknown[] }
const owner = () => ({ merchantId: house.merchantId, mode: 'live' }) as const

async function payLive(email: string) {
  const already = (await house.app.mailbox.list(owner())).length
  const payment = await createPayment(house, { email }, house.liveKey)
  await happens(house, payment, 'paid')
  await waitUntil('it waits', async () => (await house.app.mailbox.list(owner())).length === already + 1)
  return payment
}

async function mailOf(payment: { txRef: string }): Promise<Listed | undefined> {
  const url = `${house.url}/api/transaction/${payment.txRef}/notifications`
  const listed = (await call(url, { key: house.liveKey })).json.data as Listed[]
  return listed.find(({ kind }) => kind === 'mail')
}

/** Where there is a cluster, how it is spread is told too. */
function withoutCluster({ json }: Awaited<ReturnType<typeof call>>): unknown {
  const { cluster: _, version: __, ...told } = json.data as { cluster?: unknown; version: string }
  return told
}

test('live mail waits after one attempt, and can be read', async () => {
  const ready = await call(`${house.url}/readyz`)
  assert.deepEqual(withoutCluster(ready), {
    ready: true,
    processes: [],
    warnings: ['SMTP_URL is not set: live mail, such as receipts, waits until it is.'],
  })
  const payment = await payLive('ada@example.com')
  const [mail] = await house.app.mailbox.list(owner())
  assert.ok(mail)
  assert.deepEqual([mail.to, mail.number, mail.event], ['ada@example.com', payment.number, 'payment.success'])
  assert.ok(!mail.text.includes('Test payment.'))
  assert.deepEqual(await house.app.mailbox.find({ ...owner(), id: mail.id }), mail)
  assert.equal(await house.app.mailbox.find({ ...owner(), mode: 'test', id: mail.id }), undefined)
  const ofMail = await mailOf(payment)
  assert.deepEqual([ofMail?.status, ofMail?.attempts], ['paused', []])
})

test('`status` counts waiting mail', async () => {
  const { code, out } = await runFlorin(['status', '--only', 'database'], { DATABASE_URL: house.databaseUrl })
  assert.equal(code, 69)
  assert.match(out, /^1 live mail waits for a mail server\. Set SMTP_URL where the worker runs\.$/m)
})

test('a worker with SMTP_URL sends waiting mail once; mail older than a week stays in the mailbox', async () => {
  const old = await payLive('old@example.com')
  await house.db.query(sql`
    update deliveries set created_at = now() - interval '8 days'
    where merchant_id = ${house.merchantId} and target = 'old@example.com'`)
  const mail = await openMailServer()
  const other = await openHouse({ databaseUrl: house.databaseUrl, settings: { SMTP_URL: mail.url } })
  const sender = other.app.startWorker()
  try {
    await waitUntil('it is sent', () => mail.accepted.length > 0)
    assert.deepEqual(mail.accepted[0]?.to, ['ada@example.com'])
    await waitUntil('the old one is kept', async () => (await mailOf(old))?.status === 'kept')
    assert.equal(mail.accepted.length, 1)
    await other.app.jobs.find(({ name }) => name === 'send waiting mail')?.run()
    const told = other.log().match(/Sending live mail that waited for a mail server/g)
    assert.equal(told?.length, 1, 'and nothing is said where nothing waited')
    assert.deepEqual(withoutCluster(await call(`${other.url}/readyz`)), { ready: true, processes: [] })
  } finally {
    await sender.stop()
    await other.close()
    await mail.close()
  }
})

test('the mailbox shows the newest mail first, separately by mode', async () => {
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
