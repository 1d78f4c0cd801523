import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../../test/support/rows.ts'
import {
  attemptOnPage,
  openDesk,
  type Answers,
  type Desk,
} from '../../../../../test/support/scripted-networks.ts'
import { hourMs, openTill, type Till } from '../../../../../test/support/till.ts'
import type { HostedStatus, Opened } from '../../../networks/hosted.ts'
import type { AttemptRow } from '../attempt-store.ts'
import { askGivenUp, askHosted, openPage, withdrawAtNetwork } from './ask-hosted.ts'
import { findPaymentRow } from './hosted-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const signal = AbortSignal.any([])
const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

const statuses = {
  open: { kind: 'open', connectorReference: 'tb_1', url: 'https://bank.example/1' },
  approved: { kind: 'approved', connectorReference: 'tb_1' },
  pending: { kind: 'pending', connectorReference: 'tb_1' },
  charged: {
    kind: 'charged',
    connectorReference: 'tb_1',
    chargeReference: 'ch_1',
    money: { amountMinor: 1_000n, currency: 'GBP' },
  },
  declined: { kind: 'declined', reason: 'insufficient_funds' },
  not_found: { kind: 'not_found' },
} as const satisfies Record<HostedStatus['kind'], HostedStatus>

const stillOpen = { kind: 'still_open' }
const abandoned = { kind: 'declined', reason: 'challenge_abandoned' }

type Ask = (paying: Desk['paying'], attempt: AttemptRow, signal: AbortSignal) => Promise<unknown>

/** What is heard, after which verbs. */
async function heard(
  ask: Ask,
  answers: Answers,
  attempt: Values = {},
  payment: Values = {},
): Promise<unknown[]> {
  const row = await attemptOnPage(till, attempt, payment)
  const desk = openDesk(till, answers)
  const word = await ask(desk.paying, row, signal)
  const order = {
    merchantId: row.merchant_id,
    paymentNumber: row.number,
    idempotencyKey: row.idempotency_key,
    startedAt: new Date(row.started_at),
    connectorReference: row.connector_reference ?? undefined,
  }
  const account = { id: 'acc_test-bank', connector: till.bank.name, credentials: {}, sandbox: true }
  for (const [index, verb] of desk.asked.entries())
    if (verb !== 'open') assert.deepEqual(desk.told[index], [account, order], verb)
  return [...desk.asked, word]
}

test('a page counts as closed when the network says so or doesn’t know it', async () => {
  const said = {
    open: { kind: 'no_answer' },
    approved: { kind: 'approved' },
    pending: { kind: 'pending' },
    charged: statuses.charged,
    declined: statuses.declined,
    not_found: abandoned,
  }
  for (const [kind, withdraw] of Object.entries(statuses))
    assert.deepEqual(
      await heard(withdrawAtNetwork, { withdraw }),
      ['withdraw', said[kind as keyof typeof said]],
      kind,
    )
})

test('for an abandoned attempt only a charge is news', async () => {
  for (const [kind, fetch] of Object.entries(statuses)) {
    const word = kind === 'charged' ? statuses.charged : stillOpen
    assert.deepEqual(await heard(askGivenUp, { fetch }, { state: 'abandoned' }), ['fetch', word], kind)
  }
})

test('a page stays open while needed, and is closed once it ended, was left, or the payment is over', async () => {
  const wanted: [Values, Values][] = [
    [{}, {}],
    [{ state: 'submitted' }, {}],
    [{ page_expires_at: ahead(1) }, {}],
  ]
  const left: [Values, Values][] = [
    [{ page_expires_at: ahead(0) }, {}],
    [{ page_expires_at: ahead(-1) }, {}],
    [{ state: 'unknown' }, {}],
    ...['success', 'failed', 'cancelled', 'expired'].map((state): [Values, Values] => [{}, { state }]),
  ]
  const withdraw = statuses.declined
  for (const fetch of [statuses.open, statuses.not_found]) {
    for (const rows of wanted)
      assert.deepEqual(await heard(askHosted, { fetch, withdraw }, ...rows), ['fetch', stillOpen])
    for (const rows of left)
      assert.deepEqual(await heard(askHosted, { fetch, withdraw }, ...rows), ['fetch', 'withdraw', withdraw])
  }
  const approved = { kind: 'approved' }
  const decided = {
    approved,
    pending: { kind: 'pending' },
    charged: statuses.charged,
    declined: statuses.declined,
  }
  for (const [kind, word] of Object.entries(decided))
    for (const rows of [...wanted, ...left]) {
      const fetch = statuses[kind as keyof typeof decided]
      assert.deepEqual(await heard(askHosted, { fetch, withdraw }, ...rows), ['fetch', word], kind)
    }
})

test('a page with a lost URL is requested again while needed and the network knows its key', async () => {
  const lost = { state: 'started', connector_reference: null }
  const open = { kind: 'open', connectorReference: 'tb_2', url: 'https://bank.example/2' } as const
  const ask = async (attempt: Values, payment: Values = {}): Promise<unknown[]> =>
    heard(askHosted, { open, withdraw: statuses.not_found }, { ...lost, ...attempt }, payment)
  const found = ['open', { ...open, kind: 'opened' }]
  const closed = ['withdraw', abandoned]
  assert.deepEqual(await ask({}), found)
  assert.deepEqual(await ask({ started_at: ahead(-23 * hourMs + 1) }), found)
  assert.deepEqual(await ask({ started_at: ahead(-23 * hourMs) }), closed)
  assert.deepEqual(await ask({ page_expires_at: ahead(1) }), found)
  assert.deepEqual(await ask({ page_expires_at: ahead(0) }), closed)
  assert.deepEqual(await ask({}, { state: 'cancelled' }), closed)
  assert.deepEqual(await ask({ state: 'unknown' }), closed)
})

/** Opens a page of this payment. */
async function opening(open: Opened, attempt: Values = {}, payment: Values = {}) {
  const row = await attemptOnPage(till, { state: 'started', connector_reference: null, ...attempt }, payment)
  const desk = openDesk(till, { open }, { statementDescriptor: async () => 'CORNER SHOP' })
  const stored = await findPaymentRow(till.db, { merchantId: row.merchant_id, number: row.number })
  assert.ok(stored)
  const word = await openPage(desk.paying, row, stored, signal)
  return { row, word, log: desk.log(), told: desk.told }
}

test('the network gets the merchant, the amount, the customer’s text and the return URL', async () => {
  const page_expires_at = ahead(hourMs)
  const open = { kind: 'open', connectorReference: 'tb_2', url: 'https://bank.example/2' } as const
  const rows: [Values, Values, object, object][] = [
    [{}, {}, { method: 'card' }, { description: 'Corner shop' }],
    [{ method: 'bank' }, { description: 'Two seats' }, { method: 'bank' }, { description: 'Two seats' }],
    [{}, { title: 'Hamlet', description: 'Two seats' }, { method: 'card' }, { description: 'Hamlet' }],
    [{}, { mode: 'live' }, { mode: 'live', method: 'card' }, { description: 'Corner shop' }],
  ]
  for (const [attempt, payment, ofOrder, ofPage] of rows)
    for (const language of [null, 'de']) {
      const { row, told, word } = await opening(
        open,
        { ...attempt, page_expires_at },
        { ...payment, language },
      )
      const { merchant_id: merchantId, number: paymentNumber } = row
      const lang = `lang=${language ?? 'en'}`
      const address = `http://127.0.0.1:3000/payment/${merchantId}${paymentNumber}`
      assert.deepEqual(word, { ...open, kind: 'opened' })
      assert.deepEqual(told, [
        [
          { id: 'acc_test-bank', connector: till.bank.name, credentials: {}, sandbox: true },
          {
            merchantId,
            paymentNumber,
            idempotencyKey: row.idempotency_key,
            startedAt: new Date(row.started_at),
            connectorReference: undefined,
            mode: 'test',
            amountMinor: 1_000n,
            currency: 'GBP',
            ...ofOrder,
          },
          {
            merchantName: 'Corner shop',
            statementDescriptor: 'CORNER SHOP',
            txRef: `order-${paymentNumber}`,
            email: 'ada@example.com',
            firstName: 'Ada',
            lastName: 'Lovelace',
            language: language ?? 'en',
            returnUrl: `${address}/return?${lang}`,
            cancelUrl: `${address}/left?${lang}`,
            expiresAt: page_expires_at,
            ...ofPage,
          },
        ],
      ])
    }
  const { row, told } = await opening(open)
  assert.deepEqual(told[0]?.[2]?.['expiresAt'], new Date(row.started_at))
})

test('a page that couldn’t be opened is logged, and no customer is sent there', async () => {
  const { log, word } = await opening({ kind: 'refused', why: 'account not activated' })
  assert.deepEqual(word, { kind: 'not_made', reason: 'processing_error' })
  assert.deepEqual(log, [['error', 'A network refused to create a payment page']])
})

test('customers are sent only to https URLs, and to plain ones in tests only', async () => {
  const safe = ['https://bank.example/1', 'https://localhost/1']
  const local = ['http://localhost:1/1', 'http://127.0.0.1/1', 'http://[::1]/1']
  const plain = ['http://bank.example/1', 'http://localhost.example/1', 'http://127.0.0.2/1']
  const never = ['javascript:alert(1)', 'data:text/html,x', 'ftp://localhost/1', 'not an address', '']
  for (const [mode, sent, kept] of [
    ['test', [...safe, ...local, ...plain], never],
    ['live', [...safe, ...local], [...plain, ...never]],
  ] as const) {
    const open = async (url: string) =>
      opening({ kind: 'open', connectorReference: 'tb_2', url }, {}, { mode })
    for (const url of sent) {
      const { log, word } = await open(url)
      assert.deepEqual([word, log], [{ kind: 'opened', connectorReference: 'tb_2', url }, []], url)
    }
    for (const url of kept) {
      const { log, word } = await open(url)
      assert.deepEqual(word, { kind: 'not_made', reason: 'processing_error' }, url)
      assert.deepEqual(log, [['error', 'A network returned a URL that Florin does not send customers to']])
    }
  }
})

test('a network that must be told to take the money is not asked to close a page before it was told', async () => {
  const answers = { capture: statuses.charged, withdraw: statuses.declined, fetch: statuses.open }
  const left = { kind: 'not_made', reason: 'challenge_abandoned' }
  for (const state of ['started', 'action_required'])
    assert.deepEqual(await heard(withdrawAtNetwork, answers, { state }), [left], state)
  for (const state of ['submitted', 'unknown'])
    assert.deepEqual(
      await heard(withdrawAtNetwork, answers, { state }),
      ['withdraw', statuses.declined],
      state,
    )
  assert.deepEqual(await heard(askHosted, answers, { page_expires_at: ahead(0) }), ['fetch', left])
})
