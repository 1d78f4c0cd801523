import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  openNotificationRows,
  oneTry,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { installation } from '../../audit/audit.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { plainBrand, type Brand } from '../../merchants/brand/brand.ts'
import type { Claim } from '../store.ts'
import type { CustomerMail } from './compose-mail.ts'
import {
  findSender,
  mailsPerDayToOneAddress,
  sendMail,
  writeMail,
  type Mail,
  type MailSender,
} from './send-mail.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const facts: CustomerMail = {
  template: 'receipt',
  language: 'en',
  firstName: 'Ada',
  amountMinor: '500',
  refundedMinor: '0',
  currency: 'GBP',
  reference: 'FL1',
  txRef: 'order-1',
}

const claim: Claim = {
  merchant_id: own,
  id: 'msg_1',
  kind: 'mail',
  mode: 'live',
  event: 'payment.success',
  number: null,
  target: 'ada@example.com',
  origin: 'mail',
  body: JSON.stringify(facts),
  tries: 1,
  step: 0,
  created_at: moment(0),
  endpoint_id: null,
  dialect: null,
  secrets: null,
}

type Sender = Parameters<typeof writeMail>[2]
const shop: Sender = { id: own, name: 'Corner\r\nshop', email: 'owner@shop.example', brand: plainBrand }
const brand = (changes: Partial<Brand>): Sender => ({ ...shop, brand: { ...plainBrand, ...changes } })

function openSender(changes: Partial<MailSender> = {}): MailSender & { readonly posted: Mail[] } {
  const posted: Mail[] = []
  return {
    posted,
    db: rows.db,
    now: () => new Date(moment(60)),
    secrets: testSecrets,
    findMerchant: async () => shop as Merchant,
    from: 'no-reply@pay.example.com',
    baseUrl: 'https://pay.example.com',
    writers: [],
    post: async (mail) => void posted.push(mail),
    ...changes,
  }
}

const verdictOf = async (sender: MailSender, changes: Partial<Claim> = {}): Promise<string> =>
  (await sendMail(sender, { ...claim, ...changes })).verdict

test('a mail is sent in its merchant’s name, on one line, with its attachments', async () => {
  await rows.replace({})
  const sender = openSender({
    attach: () => ({
      filename: 'a.pdf',
      contentType: 'application/pdf',
      draw: async () => Buffer.from('%PDF'),
    }),
  })
  const { ms, ...outcome } = await sendMail(sender, claim)
  assert.ok(ms >= 0)
  assert.deepEqual(outcome, { verdict: 'delivered', status: null, error: null, answer: null })
  const [mail, ...more] = sender.posted
  assert.ok(mail)
  assert.deepEqual(more, [])
  const { text, html, ...head } = mail
  assert.match(text, /^Payment received: £5\.00\n/)
  assert.match(html, /^<!doctype html>/)
  assert.deepEqual(head, {
    id: 'msg_1',
    from: { name: 'Corner shop', address: 'no-reply@pay.example.com' },
    to: 'ada@example.com',
    subject: 'Receipt from Corner shop: £5.00',
    attachment: { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
  })
  const plain = openSender()
  assert.equal(await verdictOf(plain), 'delivered')
  assert.equal(plain.posted[0]?.attachment, undefined)
})

test('replies go to the merchant’s address if it has one, and the merchant’s own mail goes to itself', () => {
  const supported = brand({ supportEmail: 'help@shop.example', logoId: 'abc' })
  const written = (target: string, merchant: Sender): Mail =>
    writeMail(openSender(), { ...claim, target }, merchant)
  const toCustomer = written('ada@example.com', supported)
  assert.deepEqual([toCustomer.to, toCustomer.replyTo], ['ada@example.com', 'help@shop.example'])
  assert.match(toCustomer.html, new RegExp(`<img src="https://pay\\.example\\.com/logo/${own}/abc"`))
  const unsupported = written('ada@example.com', shop)
  assert.equal('replyTo' in unsupported, false)
  assert.doesNotMatch(unsupported.html, /<img/)
  const toMerchant = written('merchant', supported)
  assert.deepEqual([toMerchant.to, toMerchant.replyTo], ['owner@shop.example', undefined])
  assert.equal(written('merchant', { ...shop, email: null }).to, '')
})

test('a mail says if it is about test mode, and when the event happened', () => {
  const textOf = (mode: 'test' | 'live'): string => writeMail(openSender(), { ...claim, mode }, shop).text
  assert.match(textOf('test'), /^Test payment\. No money was taken\.\n/)
  assert.doesNotMatch(textOf('live'), /Test payment/)
  assert.match(textOf('live'), /\nDate +15 November 2026, 12:00 UTC\n/)
})

test('in test mode or without an address a mail is kept; without a mail server it waits', async () => {
  await rows.replace({})
  const sender = openSender()
  assert.equal(await verdictOf(sender, { mode: 'test' }), 'kept')
  assert.equal(
    await verdictOf(openSender({ findMerchant: async () => ({ ...shop, email: null }) as Merchant }), {
      target: 'merchant',
    }),
    'kept',
  )
  assert.equal(await verdictOf(openSender({ post: undefined })), 'waits')
  assert.equal(await verdictOf(openSender({ post: undefined }), { mode: 'test' }), 'kept')
  assert.deepEqual(sender.posted, [])
})

test('a deleted merchant sends nothing, while the installation always can', async () => {
  const nobody = openSender({ findMerchant: async () => undefined })
  const { ms: _, ...outcome } = await sendMail(nobody, claim)
  assert.deepEqual(outcome, { verdict: 'gone', status: null, error: 'no_merchant', answer: null })
  assert.equal((await findSender(nobody, installation))?.name, 'Florin')
  assert.equal(await findSender(nobody, own), undefined)
})

test('an address gets at most 20 mails a day from a merchant, and the next is skipped', async () => {
  const sent = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      one: delivery({
        id: `msg_old_${at}`,
        kind: 'mail',
        mode: 'live',
        target: claim.target,
        state: 'delivered',
        finished_at: moment(0),
      }),
      tried: oneTry({ delivery_id: `msg_old_${at}`, status: null }),
    }))
  for (const [count, verdict] of [
    [19, 'delivered'],
    [20, 'skipped'],
  ] as const) {
    assert.equal(mailsPerDayToOneAddress, 20)
    const old = sent(count)
    await rows.replace({ deliveries: old.map(({ one }) => one), tries: old.map(({ tried }) => tried) })
    assert.equal(await verdictOf(openSender()), verdict)
  }
})

test('a permanent refusal of a mail isn’t retried, while trouble with us is', async () => {
  await rows.replace({})
  const refused = async (error: object) => {
    const post = async (): Promise<never> => {
      throw Object.assign(new Error('no'), error)
    }
    const sender = openSender({ post })
    const { verdict, status, error: word, answer } = await sendMail(sender, claim)
    return [verdict, status, word, answer]
  }
  const rcpt = { code: 'EENVELOPE', command: 'RCPT TO' }
  assert.deepEqual(await refused({ ...rcpt, responseCode: 550, response: '550 no such box' }), [
    'gone',
    550,
    'EENVELOPE',
    '550 no such box',
  ])
  for (const [error, verdict] of [
    [{ ...rcpt, responseCode: 500 }, 'gone'],
    [{ ...rcpt, responseCode: 499 }, 'failed'],
    [{ ...rcpt, responseCode: 450 }, 'failed'],
    [{ ...rcpt }, 'failed'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }, 'failed'],
    [{ code: 'EMESSAGE', responseCode: 554 }, 'gone'],
    [{ code: 'EMESSAGE', command: 'RCPT TO', responseCode: 554 }, 'gone'],
    [{ code: 'EAUTH', command: 'RCPT TO', responseCode: 554 }, 'failed'],
    ...[530, 534, 535, 538].map((responseCode) => [{ ...rcpt, responseCode }, 'failed'] as const),
    [{ ...rcpt, responseCode: 536 }, 'gone'],
  ] as const) {
    assert.equal((await refused(error))[0], verdict, JSON.stringify(error))
  }
  assert.deepEqual(await refused({}), ['failed', null, 'mail_failed', null])
})

test('the mail server’s first 1,024 characters are kept, as text the database can store', async () => {
  const answerOf = async (response: string): Promise<string | null> => {
    const post = async (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { response }))
    return (await sendMail(openSender({ post }), claim)).answer
  }
  assert.equal(await answerOf('a'.repeat(1_025)), 'a'.repeat(1_024))
  assert.equal(await answerOf(`${'a'.repeat(1_023)}💷`), `${'a'.repeat(1_023)}\ufffd`)
  assert.equal(await answerOf('a\0b'), 'a\ufffdb')
})
