import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, openWitness, type WitnessedCall, type Witness } from '../../../test/support/witness.ts'
import type { Database } from '../../platform/database/database.ts'
import { MadeBefore } from '../../platform/errors/made-before.ts'
import { readMerchant, type Merchant } from './authenticate.ts'
import {
  changeMerchant,
  changeShop,
  createMerchant,
  disableCurrency,
  enableCurrency,
  type MerchantChanges,
} from './create-merchant.ts'
import { changeFeePlan } from './operator/change-fee-plan.ts'

// What is made and changed of a merchant, whole, with what the audit log says of it and whether all servers hear of it.

let db: Database
let witness: Witness
before(async () => {
  witness = await openWitness()
  db = witness.db
})
after(() => witness.close())

const nobody = 10_000_000
const nothing: WitnessedCall = { acts: [], isTold: false }

async function shop(merchantId: number): Promise<Merchant> {
  return (await readMerchant(db, merchantId)) ?? assert.fail('no merchant')
}

const currenciesOf = async (merchantId: number) => Object.fromEntries((await shop(merchantId)).currencies)

/** One act of Ada's, told to all servers. */
function oneAct(action: string, subject: string, was: object | null, is: object | null): WitnessedCall {
  return { acts: [{ action, subject, actor: 'ada', before: was, after: is }], isTold: true }
}

test('a new merchant is audited as created', async () => {
  const asked = {
    number: 20_000_001,
    name: ' Corner shop ',
    email: 'shop@example.com',
    liveEnabled: true,
    currencies: ['JPY', 'GBP', 'EUR'],
  }
  const made = await witness.see(20_000_001, async () => createMerchant(db, asked, ada))
  const facts = { name: 'Corner shop', email: 'shop@example.com', live: true }
  assert.deepEqual(made, {
    ...oneAct('merchant.created', '20000001', null, { ...facts, currencies: ['GBP', 'JPY', 'EUR'] }),
    // Nobody can remember one that was not there.
    isTold: false,
  })
  const least = await witness.see(20_000_002, async () =>
    createMerchant(db, { number: 20_000_002, name: 'Kiosk' }),
  )
  assert.deepEqual(
    least.acts.map(({ actor, after: is }) => [actor, is]),
    [['florin', { name: 'Kiosk', email: null, live: false, currencies: ['GBP'] }]],
  )
})

test('creating a merchant twice reports the first, and a taken number is replaced by another', async () => {
  const number = 20_000_003
  const make = async (name: string) => createMerchant(db, { number, name })
  assert.equal(await make('Corner shop'), number)
  await assert.rejects(make(' Corner shop'), MadeBefore)
  const other = await make('Kiosk')
  assert.ok(other !== number && other >= 10_000_000 && other <= 99_999_999, String(other))
  assert.deepEqual([(await shop(number)).name, (await shop(other)).name], ['Corner shop', 'Kiosk'])
})

test('enabling and disabling a currency is audited with its fee, and enabling it again isn’t', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const see = async (change: typeof enableCurrency) =>
    witness.see(merchantId, async () => change(db, merchantId, 'KWD', ada))
  const on = (fee: string) => oneAct('merchant.currency_enabled', 'KWD', null, { fee_fixed_minor: fee })
  assert.deepEqual(await see(enableCurrency), on('200'))
  assert.deepEqual(await see(enableCurrency), nothing)
  await changeFeePlan(db, merchantId, { basisPoints: 140, fixed: new Map([['KWD', 55n]]) }, ada)
  assert.deepEqual(await see(disableCurrency), oneAct('merchant.currency_disabled', 'KWD', null, null))
  assert.deepEqual(await currenciesOf(merchantId), { GBP: 20n })
  assert.deepEqual(await see(enableCurrency), on('55'))
  assert.deepEqual(await currenciesOf(merchantId), { GBP: 20n, KWD: 55n })
})

test('an unknown merchant can’t be changed', async () => {
  const refused = { code: 'not_found', message: 'Merchant not found' }
  const seen = await witness.see(nobody, async () => {
    await assert.rejects(enableCurrency(db, nobody, 'EUR'), refused)
    await assert.rejects(disableCurrency(db, nobody, 'EUR'), refused)
    await assert.rejects(changeMerchant(db, nobody, { name: 'Kiosk' }), refused)
  })
  assert.deepEqual(seen, nothing)
})

test('two currencies disabled at the same moment never leave none', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop', currencies: ['EUR'] })
  const ends = await Promise.allSettled(
    ['EUR', 'GBP'].map(async (currency) => disableCurrency(db, merchantId, currency)),
  )
  assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal((await shop(merchantId)).currencies.size, 1)
})

const longest = 'a'.repeat(100)

// Each setting, as it is sent, as a merchant has it afterwards, and as it is written down.
const settings: readonly (readonly [MerchantChanges, Partial<Merchant>, was: object, is: object])[] = [
  [{ name: ' K ' }, { name: 'K' }, { name: 'Corner shop' }, { name: 'K' }],
  [{ name: longest }, { name: longest }, { name: 'Corner shop' }, { name: longest }],
  [{ email: 'a@b.example' }, { email: 'a@b.example' }, { email: null }, { email: 'a@b.example' }],
  [{ liveEnabled: true }, { liveEnabled: true }, { live: false }, { live: true }],
  [
    { formsTakeSecretKeys: false },
    { formsTakeSecretKeys: false },
    { forms_take_secret_keys: true },
    { forms_take_secret_keys: false },
  ],
  [{ refundFees: true }, { refundFees: true }, { refund_fees: false }, { refund_fees: true }],
  [
    { payWithinMinutes: 30 },
    { payWithinMinutes: 30 },
    { pay_within_minutes: 1_440 },
    { pay_within_minutes: 30 },
  ],
]

test('each setting changes alone, notifies servers and is audited, but only the first time', async () => {
  for (const [set, has, was, is] of settings) {
    const merchantId = await createMerchant(db, { name: 'Corner shop' })
    const old = await shop(merchantId)
    const change = async () => witness.see(merchantId, async () => changeMerchant(db, merchantId, set, ada))
    assert.deepEqual(await change(), oneAct('merchant.changed', String(merchantId), was, is))
    assert.deepEqual(await shop(merchantId), { ...old, ...has })
    assert.deepEqual((await change()).acts, [])
    assert.deepEqual(await shop(merchantId), { ...old, ...has })
  }
})

test('a shop is changed as a whole or not at all', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const old = await shop(merchantId)
  const brand = { supportEmail: 'help@shop.example' }
  const wrong: readonly (readonly [MerchantChanges, rule: RegExp])[] = [
    [{ payWithinMinutes: 29 }, /^pay_within must be/],
    [{ payWithinMinutes: 43_201 }, /^pay_within must be/],
    [{ name: ' ' }, /^name must be 1 to 100 characters$/],
    [{ name: 'a'.repeat(101) }, /^name must be 1 to 100 characters$/],
    [{ name: '4242 4242 4242 4242' }, /^name must not contain a card number/],
    [{ email: 'shop' }, /^email must be/],
  ]
  for (const [merchant, message] of wrong)
    await assert.rejects(changeShop(db, merchantId, { merchant, brand }, ada), { message })
  await assert.rejects(
    changeShop(db, merchantId, { merchant: { name: 'Kiosk' }, brand: { supportEmail: 'no address' } }, ada),
  )
  assert.deepEqual(await shop(merchantId), old)

  const both = await witness.see(merchantId, async () =>
    changeShop(db, merchantId, { merchant: { name: 'Kiosk' }, brand }, ada),
  )
  const written = Object.assign({}, ...both.acts.map(({ after: is }) => is)) as object
  assert.deepEqual(written, { name: 'Kiosk', support_email: 'help@shop.example' })
  assert.deepEqual(
    both.acts.map(({ actor }) => actor),
    ['ada', 'ada'],
  )
  await changeShop(db, merchantId, { merchant: { refundFees: true } })
  assert.deepEqual(await shop(merchantId), {
    ...old,
    name: 'Kiosk',
    refundFees: true,
    brand: { ...old.brand, supportEmail: 'help@shop.example' },
  })
})
