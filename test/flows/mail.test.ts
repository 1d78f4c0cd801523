import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hours, makeClock } from '../support/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { openMailServer, type MailServer } from '../support/mail-server.ts'
import { createPayment, happens } from '../support/pay.ts'
import { refundHappens } from '../support/refunds.ts'
import { waitUntil } from '../support/wait-until.ts'

// Mail of live mode through a real SMTP server, which misbehaves when a test says so.

const clock = makeClock()
let house: House
let mail: MailServer
let worker: { stop(): Promise<void> }
let answer: ((address: string) => Error | undefined) | undefined
let hangUp = false

before(async () => {
  mail = await openMailServer({
    onRcptTo(address, _, done) {
      done(answer?.(address.address))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (hangUp) {
          done(Object.assign(new Error('Shutting down'), { responseCode: 421 }))
          return
        }
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mail.accepted.push({ from: '', to, raw: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  house = await openHouse({
    settings: { SMTP_URL: mail.url, MAIL_FROM: 'receipts@pay.example.com' },
    world: { now: clock.now, random: () => 0.5 },
  })
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
  await mail.close()
})

const to = (address: string) => mail.accepted.filter((one) => one.to.includes(address))

type Listed = {
  id: string
  kind: string
  event: string
  status: string
  attempts: { http_status: number | null; error: string | null }[]
}

async function mailOf(payment: { txRef: string }, event = 'payment.success'): Promise<Listed | undefined> {
  const found = await call(`${house.url}/api/transaction/${payment.txRef}/notifications`, {
    key: house.liveKey,
  })
  return (found.json.data as Listed[]).find((each) => each.kind === 'mail' && each.event === event)
}

async function paidBy(email: string, fields: Record<string, unknown> = {}) {
  const payment = await createPayment(house, { email, ...fields }, house.liveKey)
  await happens(house, payment, 'paid')
  return payment
}

const decode = (raw: string): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString('utf8'))

test('success, refund and final failure each send one mail, with amount, merchant, reference and tx_ref', async () => {
  const began = performance.now()
  const payment = await paidBy('ada@example.com')
  await waitUntil('the receipt is there', () => to('ada@example.com').length === 1)
  await refundHappens(house, payment)
  await waitUntil('the notice of the refund is there', () => to('ada@example.com').length === 2)
  const failed = await createPayment(house, { email: 'bob@example.com' }, house.liveKey)
  await happens(house, failed, 'attempts_used_up')
  await waitUntil('the notice of the failure is there', () => to('bob@example.com').length === 1)
  const cancelled = await createPayment(house, { email: 'carol@example.com' }, house.liveKey)
  await happens(house, cancelled, 'cancelled_by_customer')

  const [receipt, refund] = to('ada@example.com').map(({ raw }) => decode(raw))
  assert.ok(receipt && refund)
  for (const wanted of [
    '£1,234.50',
    'Corner shop',
    payment.txRef,
    'FL',
    'text/plain',
    'text/html',
    'Payment received',
  ])
    assert.ok(receipt.includes(wanted), wanted)
  assert.match(receipt, /^From: Corner shop <receipts@pay\.example\.com>\r$/m)
  assert.match(receipt, /^Subject: /m)
  assert.match(to('ada@example.com')[0]?.raw ?? '', /^Message-ID:\s+<msg_[\w-]{24}@pay\.example\.com>/im)
  assert.ok(refund.includes('Refund sent'))
  assert.match(refund, /Content-Type: application\/pdf; name=refund-\w+\.pdf/)
  assert.ok(!receipt.includes('application/pdf'))
  assert.ok(decode(to('bob@example.com')[0]?.raw ?? '').includes('No money has been taken'))
  assert.equal(to('carol@example.com').length, 0)
  await waitUntil('it is noted', async () => (await mailOf(payment))?.status === 'delivered')
  const [sent] = await house.db.query<{ ms: number }>(sql`
    select ms from delivery_attempts
    where merchant_id = ${house.merchantId} and delivery_id = ${(await mailOf(payment))?.id ?? ''}`)
  assert.ok(sent && sent.ms <= performance.now() - began, `it took ${sent?.ms} ms`)
})

test('a temporarily refused mail is retried with the same Message-ID, and sent once', async () => {
  let refusals = 0
  answer = () => {
    refusals += 1
    return refusals <= 2 ? Object.assign(new Error('Try later'), { responseCode: 451 }) : undefined
  }
  const payment = await paidBy('later@example.com')
  await waitUntil('the first try is noted', async () => (await mailOf(payment))?.attempts.length === 1)
  assert.deepEqual(
    (await mailOf(payment))?.attempts.map(({ http_status, error }) => ({ http_status, error })),
    [{ http_status: 451, error: 'EENVELOPE' }],
  )
  clock.jump(6_000)
  await waitUntil('the second try is noted', async () => (await mailOf(payment))?.attempts.length === 2)
  clock.jump(400_000)
  await waitUntil('it arrives', () => to('later@example.com').length === 1)
  await waitUntil('it is noted', async () => (await mailOf(payment))?.status === 'delivered')
  answer = undefined
})

test('a mail server that breaks off after the text is asked again; a permanent refusal isn’t', async () => {
  hangUp = true
  const payment = await paidBy('broken@example.com')
  await waitUntil('the try is noted', async () => (await mailOf(payment))?.attempts.length === 1)
  assert.equal((await mailOf(payment))?.status, 'waiting')
  hangUp = false
  clock.jump(6_000)
  await waitUntil('it arrives', () => to('broken@example.com').length === 1)

  answer = () => Object.assign(new Error('No such user'), { responseCode: 550 })
  const gone = await paidBy('nobody@example.com')
  await waitUntil('it is given up', async () => (await mailOf(gone))?.status === 'failed')
  assert.equal((await mailOf(gone))?.attempts.length, 1)
  answer = undefined
})

test('no name or title can become a header or markup', async () => {
  const nasty = '<script>alert(1)</script>'
  const payment = await paidBy('nasty@example.com', { first_name: nasty, last_name: 'Bcc: x@evil.example' })
  await waitUntil('it arrives', () => to('nasty@example.com').length === 1)
  const raw = to('nasty@example.com')[0]?.raw ?? ''
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n'))
  assert.doesNotMatch(headers, /^(Bcc|Cc):/im)
  const html = decode(raw).slice(decode(raw).indexOf('<!doctype html>'))
  assert.ok(!html.includes(nasty))
  assert.ok(html.includes('&lt;script&gt;'))
  assert.equal((await mailOf(payment))?.kind, 'mail')
})

test('an address gets at most twenty mails a day from a merchant', async () => {
  const payments: { txRef: string }[] = []
  for (let round = 0; round < 23; round += 1) payments.push(await paidBy('often@example.com'))
  await waitUntil('all are settled', async () => {
    const states = await Promise.all(payments.map(async (payment) => (await mailOf(payment))?.status))
    return states.every((state) => state === 'delivered' || state === 'skipped')
  })
  assert.equal(to('often@example.com').length, 20)
  clock.jump(1 * hours)
})

test('resends and other mails to the same address count, and a skipped mail can be sent the next day', async () => {
  const resend = async (payment: { txRef: string }): Promise<void> => {
    const found = await mailOf(payment)
    const path = `/api/transaction/${payment.txRef}/notifications/${found?.id}/resend`
    assert.equal((await post(`${house.url}${path}`, {}, house.liveKey)).status, 200)
  }
  const first = await paidBy('cleo@example.com')
  await waitUntil('it went', async () => (await mailOf(first))?.status === 'delivered')
  for (let count = 1; count < 20; count += 1) {
    await resend(first)
    await waitUntil('it went again', async () => (await mailOf(first))?.attempts.length === count + 1)
  }
  await resend(first)
  await waitUntil('no more', async () => (await mailOf(first))?.status === 'skipped')
  const other = await paidBy('Cleo@EXAMPLE.com')
  await waitUntil('neither to him', async () => (await mailOf(other))?.status === 'skipped')
  assert.equal(to('cleo@example.com').length, 20)

  clock.jump(25 * hours)
  await resend(other)
  await waitUntil('it goes the next day', async () => (await mailOf(other))?.status === 'delivered')
})

test('a mail server’s authentication error is our problem, and the mail is retried', async () => {
  answer = () => Object.assign(new Error('Authentication required'), { responseCode: 530 })
  const payment = await paidBy('dan@example.com')
  await waitUntil('a try is noted', async () => (await mailOf(payment))?.attempts.length === 1)
  assert.equal((await mailOf(payment))?.status, 'waiting')
  answer = undefined
})

test('an answer cut off during an e-mail is still recorded', async () => {
  const words = `${'x'.repeat(1_019)}\u{1f600} try later`
  answer = () => Object.assign(new Error(words), { responseCode: 450 })
  const payment = await paidBy('eli@example.com')
  await waitUntil('a try is noted', async () => (await mailOf(payment))?.attempts.length === 1)
  answer = undefined
})

test('test mail never leaves the mailbox, whatever SMTP_URL says', async () => {
  const payment = await createPayment(house, { email: 'tester@example.com' })
  await happens(house, payment, 'paid')
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  const [kept] = await house.app.mailbox.list(owner)
  assert.ok(kept)
  assert.deepEqual(
    [kept.to, kept.from, kept.subject, kept.number],
    [
      'tester@example.com',
      { name: 'Corner shop', address: 'receipts@pay.example.com' },
      'Receipt from Corner shop: £1,234.50',
      payment.number,
    ],
  )
  assert.ok(kept.text.includes('Test payment. No money was taken.'))
  assert.ok(kept.html.includes('Test payment. No money was taken.'))
  const path = `/api/transaction/${payment.txRef}/notifications/${kept.id}/resend`
  assert.equal((await post(`${house.url}${path}`, {}, house.secretKey)).status, 200)
  const isWaiting = async (): Promise<boolean> => {
    const found = await call(`${house.url}/api/transaction/${payment.txRef}/notifications`, {
      key: house.secretKey,
    })
    return (found.json.data as Listed[]).some(({ id, status }) => id === kept.id && status === 'waiting')
  }
  await waitUntil('the resend is over', async () => !(await isWaiting()))
  assert.deepEqual(
    (await house.app.mailbox.list(owner)).map(({ id }) => id),
    [kept.id],
    'it is in the mailbox again',
  )
  assert.equal(to('tester@example.com').length, 0)
})
