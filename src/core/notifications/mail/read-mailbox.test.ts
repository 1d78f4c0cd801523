import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  openNotificationRows,
  own,
  type NotificationRows,
  type StoredDelivery,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import type { CustomerMail } from './compose-mail.ts'
import { makeMailbox, type Mailbox } from './read-mailbox.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const of = { merchantId: own, mode: 'test' } as const
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

function mail(id: string, changes: Partial<StoredDelivery> = {}): StoredDelivery {
  const body = JSON.stringify(facts)
  return delivery({
    id,
    kind: 'mail',
    state: 'kept',
    origin: 'mail',
    target: 'ada@example.com',
    body,
    ...changes,
  })
}

const toPerson = JSON.stringify({
  template: 'person',
  subject: 'Sign in',
  heading: 'Sign in',
  isGood: true,
  name: '',
  paragraphs: [],
  rows: [['a', 'b']],
})

function openMailbox(email: string | null = 'Owner@shop.example', isGone = false): Mailbox {
  const shop = { id: own, name: 'Corner shop', email, brand: plainBrand } as Merchant
  return makeMailbox({
    db: rows.db,
    findMerchant: async () => (isGone ? undefined : shop),
    from: 'no-reply@pay.example.com',
    writers: [],
    baseUrl: 'https://pay.example.com',
    secrets: testSecrets,
    attach: ({ facts: { template } }) =>
      template === 'receipt'
        ? { filename: 'a.pdf', contentType: 'application/pdf', draw: async () => Buffer.from('%PDF') }
        : undefined,
  })
}

test('a page has 25 mails, and its cursor starts the next', async () => {
  for (const [count, pages] of [
    [25, [25]],
    [26, [25, 1]],
  ] as const) {
    await rows.replace({
      deliveries: Array.from({ length: count }, (_, at) => mail(`msg_${at}`, { created_at: moment(-at) })),
    })
    const seen: string[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await openMailbox().browse(of, cursor === '' ? {} : { cursor })
      seen.push(page.mails.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.deepEqual(
      seen.map(({ length }) => length),
      pages,
    )
    assert.deepEqual(
      seen.flat(),
      Array.from({ length: count }, (_, at) => `msg_${at}`),
    )
  }
})

test('a mail is shown as written, with its status and its attachment’s name', async () => {
  await rows.replace({
    deliveries: [mail('msg_a', { mode: 'live', state: 'delivered', finished_at: moment(5) })],
  })
  const live = { ...of, mode: 'live' } as const
  const [shown] = (await openMailbox().browse(live, {})).mails
  assert.ok(shown)
  const { text: _, html: __, ...head } = shown
  assert.deepEqual(head, {
    id: 'msg_a',
    from: { name: 'Corner shop', address: 'no-reply@pay.example.com' },
    to: 'ada@example.com',
    subject: 'Receipt from Corner shop: £5.00',
    mode: 'live',
    event: 'payment.success',
    number: null,
    at: moment(0),
    state: 'delivered',
    finished_at: moment(5),
    next_try_at: null,
    enclosed: 'a.pdf',
  })
  assert.deepEqual(await openMailbox().read({ ...live, id: 'msg_a' }), shown)
})

test('an address finds its mails, and the merchant’s own address those sent to the merchant', async () => {
  await rows.replace({
    deliveries: [
      mail('msg_ada'),
      mail('msg_owner', { target: 'merchant' }),
      mail('msg_bob', { target: 'bob@example.com' }),
    ],
  })
  const found = async (box: Mailbox, address: string): Promise<string[]> =>
    (await box.browse(of, { address })).mails.map(({ id }) => id)
  assert.deepEqual(await found(openMailbox(), 'ada@example.com'), ['msg_ada'])
  assert.deepEqual(await found(openMailbox(), 'owner@SHOP.example'), ['msg_owner'])
  assert.deepEqual(await found(openMailbox(null), 'owner@shop.example'), [])
  assert.deepEqual(await found(openMailbox(''), 'bob@example.com'), ['msg_bob'])
})

test('mails to people who sign in are never shown, nor those of a deleted merchant', async () => {
  await rows.replace({
    deliveries: [mail('msg_letter', { body: toPerson }), mail('msg_a', { created_at: moment(-1) })],
  })
  const box = openMailbox()
  assert.deepEqual(
    (await box.browse(of, {})).mails.map(({ id }) => id),
    ['msg_a'],
  )
  assert.equal(await box.read({ ...of, id: 'msg_letter' }), undefined)
  assert.equal(await box.readAttachment({ ...of, id: 'msg_letter' }), undefined)
  const gone = openMailbox(null, true)
  assert.deepEqual((await gone.browse(of, {})).mails, [])
  assert.deepEqual(await gone.list(of), [])
  assert.equal(await gone.read({ ...of, id: 'msg_a' }), undefined)
})

test('an attachment is drawn on request, and an unknown name has none', async () => {
  const paused = JSON.stringify({
    template: 'receiver_paused',
    origin: 'https://one.example',
    failingSince: moment(0),
  })
  await rows.replace({ deliveries: [mail('msg_a'), mail('msg_plain', { body: paused, target: 'merchant' })] })
  const box = openMailbox()
  assert.deepEqual(await box.readAttachment({ ...of, id: 'msg_a' }), {
    filename: 'a.pdf',
    contentType: 'application/pdf',
    content: Buffer.from('%PDF'),
  })
  assert.equal(await box.readAttachment({ ...of, id: 'msg_plain' }), undefined)
  assert.equal((await box.read({ ...of, id: 'msg_plain' }))?.enclosed, undefined)
  for (const id of ['', 'msg a', 'x'.repeat(61), 'msg_unknown']) {
    assert.equal(await box.read({ ...of, id }), undefined)
    assert.equal(await box.readAttachment({ ...of, id }), undefined)
  }
})

test('the newest hundred kept mails are listed, and each is found by its id', async () => {
  const kept = Array.from({ length: 101 }, (_, at) => mail(`msg_${at}`, { created_at: moment(-at) }))
  await rows.replace({ deliveries: [...kept, mail('msg_sent', { state: 'delivered' })] })
  const box = openMailbox()
  const listed = (await box.list(of)).map(({ id }) => id)
  assert.deepEqual(
    listed,
    kept.slice(0, 100).map(({ id }) => id),
  )
  assert.equal((await box.find({ ...of, id: 'msg_100' }))?.id, 'msg_100')
  assert.equal(await box.find({ ...of, id: 'msg_sent' }), undefined)
})
