import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRead } from '../../../../test/support/as-read.ts'
import type { ModelChanges } from '../../../../test/support/page-model.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import {
  ask,
  digits,
  scriptCheckout,
  token,
  type Answered,
  type Sent,
} from '../../../../test/support/scripted-checkout.ts'
import { refuseIfWaiting } from '../../../platform/http/rate-limit.ts'
import type { Checkout } from '../checkout.ts'
import { english } from '../language.ts'
import { de } from '../words/de.ts'
import { drawPaper } from './draw-paper.ts'
import type { Receipt } from './files/receipt-files.ts'
import { addRefundReceipts } from '../../../modules/refunds/checkout/receipt-routes.ts'
import { addReceipts } from './receipt-routes.ts'

const home = `/payment/${digits}`
const fresh: ModelChanges = { state: 'success', mode: 'live', reference: 'FL/12 3"4-a_b', refunds: 3 }
const old: ModelChanges = { ...fresh, updated_at: '2025-11-15T14:05:00.000000Z' }
const isPaid = { status: 200, file: 'application/pdf' }
const isMissing = { status: 404 }
const isSentHome = { status: 303, to: home }

const sentBack = {
  mode: 'live',
  currency: 'GBP',
  reference: 'FL1234',
  tx_ref: 'order-1',
  updated_at: '2026-11-15T14:05:00.000000Z',
  reason: null,
}
const refunds = [
  { ...sentBack, id: 'rfd_1', place: 1, state: 'succeeded', amount_minor: 400n, refund_ref: 'back-1' },
  { ...sentBack, id: 'rfd_2', place: 2, state: 'failed', amount_minor: 500n, refund_ref: 'back-2' },
  { ...sentBack, id: 'rfd_3', place: 3, state: 'succeeded', amount_minor: 600n, refund_ref: 'back-3' },
]

type Limits = { readonly pdf?: number; readonly network?: number; readonly payment?: number }
type Visit = { readonly sent?: Sent; readonly limits?: Limits; readonly refunds?: readonly object[] }

/** Every limit is asked under its own name; one that is given has been reached, and says for how many seconds. */
async function visit(payment: ModelChanges, verb: string, { sent, limits = {}, ...given }: Visit = {}) {
  const taken: string[] = []
  const limit = (name: keyof Limits) => ({
    take: (of: string): number | undefined => {
      taken.push(`${name} ${of}`)
      return limits[name]
    },
  })
  const { checkout } = scriptCheckout({
    payment,
    checkout: {
      db: { query: async () => given.refunds ?? refunds },
      receiptFiles: {
        forPage: async (network: string, { paper }: Receipt) => {
          refuseIfWaiting(limit('pdf').take(network))
          return drawPaper(paper)
        },
      },
      guessLimits: { network: limit('network'), payment: limit('payment') },
      receiptProofs: {
        make: async (of: string) => `proof-of-${of}`,
        isGood: async (of: string, proof: string) => of === digits && proof === 'good',
      },
    } as unknown as Partial<Checkout>,
  })
  const add = (...to: Parameters<typeof addReceipts>): void => {
    addReceipts(...to)
    addRefundReceipts(...to)
  }
  return { ...(await ask(add, checkout, verb, sent)), taken }
}

function told({ status, location, headers }: Answered): object {
  const file = headers['content-type'] === 'application/pdf'
  return { status, ...(location !== undefined && { to: location }), ...(file && { file: 'application/pdf' }) }
}

for (const [what, path] of [
  ['of a payment', '/receipt.pdf'],
  ['of a refund', '/refund/rfd_1/receipt.pdf'],
] as const) {
  test(`the receipt ${what} is sent as a file to those allowed to read it, and drawing it is limited`, async () => {
    const get = async (payment: ModelChanges, query = '') => told(await visit(payment, path + query))
    for (const state of ['success', 'refunded', 'reversed'] as const)
      assert.deepEqual(await get({ ...fresh, state }), isPaid, state)
    for (const state of ['pending', 'cancelled', 'expired', 'failed'] as const) {
      assert.deepEqual(await get({ ...fresh, state }), isMissing, state)
      assert.deepEqual(await get({ ...fresh, state }, '?proof=good'), isMissing, state)
    }
    assert.deepEqual(await get(old), isSentHome)
    assert.deepEqual(await get(old, '?proof=good'), isPaid)
    for (const query of ['?proof=bad', '?proof=', '?proof=good&proof=good'])
      assert.deepEqual(await get(old, query), isSentHome, query)

    assert.deepEqual((await visit(fresh, path)).taken, ['pdf 127.0.0.1'])
    const waits = await visit(fresh, path, { limits: { pdf: 7 } })
    assert.deepEqual([waits.status, waits.headers['retry-after']], [429, '7'])
  })
}

test('a file is named after its payment, with only characters that are safe in headers and on disk', async () => {
  const named = async (path: string): Promise<unknown> =>
    (await visit(fresh, path)).headers['content-disposition']
  assert.equal(await named('/receipt.pdf'), 'attachment; filename="receipt-FL1234-a_b.pdf"')
  assert.equal(await named('/refund/rfd_3/receipt.pdf'), 'attachment; filename="refund-FL1234-a_b-3.pdf"')
})

test('a completed refund has a receipt with its own details', async () => {
  for (const id of ['rfd_2', 'rfd_4'])
    assert.deepEqual(told(await visit(fresh, `/refund/${id}/receipt.pdf`)), isMissing, id)
  const textsOf = async (change: object): Promise<readonly string[]> => {
    const rows = refunds.map((row) => ({ ...row, ...change }))
    const { raw } = await visit({ ...fresh, amount_minor: 1_000n }, '/refund/rfd_3/receipt.pdf', {
      refunds: rows,
    })
    return readPdf(raw).texts
  }
  const texts = await textsOf({ reason: 'Came broken' })
  for (const text of ['Corner shop', '£6.00', '£10.00', 'Came broken', 'FL1234', 'back-3', 'order-1'])
    assert.ok(
      texts.some((line) => line.includes(text)),
      `${text} in ${texts.join('\n')}`,
    )
  const isTest = (lines: readonly string[]): boolean => lines.join(' ').includes(english.words.testReceipt)
  assert.deepEqual([isTest(texts), isTest(await textsOf({ mode: 'test' }))], [false, true])
})

test('the URL of an opened receipt works while its proof is valid, then leads to the payment', async () => {
  const shown = await visit(old, '/receipt/good')
  assert.deepEqual([shown.status, shown.body.includes('Ada Lovelace')], [200, true])
  assert.deepEqual(told(await visit(old, '/receipt/bad')), isSentHome)
  assert.deepEqual(told(await visit({ ...old, state: 'pending' }, '/receipt/good')), isSentHome)
  assert.deepEqual(told(await visit(old, '/receipt')), isSentHome)
})

test('the e-mail address of an old receipt opens it, and every non-empty try is counted', async () => {
  const answer = async (payment: ModelChanges, email: string | undefined, limits: Limits = {}) => {
    const form = { token: token('live'), ...(email !== undefined && { email }) }
    const answered = await visit(payment, '/receipt?lang=de', { sent: { form }, limits })
    const mistake = /id="email-error">([^<]*)/.exec(asRead(answered.body))?.[1]
    return { ...told(answered), mistake, taken: answered.taken }
  }
  const [right, wrong] = ['ADA@shop.example', 'eve@shop.example']
  const { otherEmail, emailMissing } = de
  const counted = ['network 127.0.0.1', `payment ${digits}`]
  const to = `${home}/receipt/proof-of-${digits}?lang=de`
  assert.deepEqual(await answer(old, right), { status: 303, to, mistake: undefined, taken: counted })
  assert.deepEqual(await answer(old, wrong), { status: 400, mistake: otherEmail, taken: counted })
  for (const empty of ['', '  ', undefined])
    assert.deepEqual(await answer(old, empty), { status: 400, mistake: emailMissing, taken: [] })
  const nothingToOpen = { status: 303, to: `${home}?lang=de`, mistake: undefined, taken: [] }
  assert.deepEqual(await answer(fresh, right), nothingToOpen)
  for (const email of [right, wrong]) {
    const waits = { status: 429, mistake: undefined, taken: counted }
    assert.deepEqual(await answer(old, email, { payment: 9 }), waits)
    assert.deepEqual(await answer(old, email, { network: 9 }), { ...waits, taken: counted.slice(0, 1) })
  }
  const strange = await visit(old, '/receipt', { sent: { form: { token: 'none', email: right } } })
  assert.deepEqual([strange.status, strange.taken], [403, []])
})

test('a wrong e-mail address is answered in the page’s language', async () => {
  const form = { token: token('live'), email: 'eve@shop.example' }
  const { headers } = await visit(old, '/receipt?lang=de', { sent: { form } })
  assert.equal(headers['content-language'], 'de')
})
