import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cornerShop } from '../../../../test/support/corner-shop.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { bySystem } from '../../audit/audit.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import type { CreatePayment } from '../create-payment.ts'
import { createTestPayment } from './test-payment.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const baseUrl = 'https://pay.example'
const merchant = (changes: Partial<Merchant> = {}): Merchant =>
  cornerShop({
    id: till.merchantId,
    currencies: new Map([
      ['EUR', 20n],
      ['GBP', 20n],
    ]),
    ...changes,
  })

type CreateArguments = Parameters<CreatePayment>

/** What would be created, and whether that was written down. */
async function ask(of: Merchant, txRef: string | undefined, refusal?: Error) {
  const asked: CreateArguments[] = []
  const createPayment: CreatePayment = async (...args) => {
    asked.push(args)
    if (refusal) throw refusal
    return { url: '', isRepeat: false }
  }
  const payment = {
    merchant: of,
    email: 'ada@example.com',
    returnUrl: `${baseUrl}/dashboard`,
    ...(txRef !== undefined && { txRef }),
  }
  const made = createTestPayment({ db: till.db, createPayment, baseUrl }, payment, bySystem)
  return made.then(
    () => asked,
    (error: unknown) => ({ asked, error }),
  )
}

const entries = async (subject: string) =>
  till.db.query(sql`
    select action, after from audit_log where merchant_id = ${till.merchantId} and subject = ${subject}`)

test('a first test payment is in pounds if enabled, and notifies the built-in receiver', async () => {
  const [first, ...more] = (await ask(merchant(), 'one')) as CreateArguments[]
  assert.deepEqual(more, [])
  const [payee, request, origin] = first ?? []
  assert.deepEqual([payee?.mode, payee?.merchant.id, origin], ['test', till.merchantId, { type: 'Link' }])
  assert.deepEqual(
    [request?.txRef, request?.amountMinor, request?.currency, request?.email, request?.returnUrl],
    ['one', 1_000n, 'GBP', 'ada@example.com', `${baseUrl}/dashboard`],
  )
  assert.match(request?.callbackUrl ?? '', new RegExp(`^${baseUrl}/.*${till.merchantId}`))
  assert.deepEqual(await entries('one'), [{ action: 'payment.test_created', after: { mode: 'test' } }])

  const [inEuro] = (await ask(
    merchant({ currencies: new Map([['EUR', 0n]]) }),
    undefined,
  )) as CreateArguments[]
  assert.equal(inEuro?.[1].currency, 'EUR')
  assert.match(inEuro?.[1].txRef ?? '', /^first-steps-[0-9A-Za-z]{10}$/)
})

test('a repeated request gets the same payment and one audit entry', async () => {
  assert.equal(((await ask(merchant(), 'twice', new Refusal('tx_ref_taken'))) as CreateArguments[]).length, 1)
  assert.deepEqual(await entries('twice'), [])
})

test('any other error isn’t mistaken for a repeated request', async () => {
  for (const error of [new Refusal('validation_failed', 'no'), new Error('a bug')]) {
    const asked = await ask(merchant(), 'wrong', error)
    assert.equal('error' in asked && asked.error, error)
  }
  assert.deepEqual(await entries('wrong'), [])
})

test('a suspended merchant can’t create a test payment', async () => {
  const asked = await ask(merchant({ isSuspended: true }), 'suspended')
  assert.deepEqual('asked' in asked && [asked.asked, (asked.error as Refusal).code], [
    [],
    'merchant_suspended',
  ])
})
