import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { readPages } from '../support/networks/test-bank-records.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { accountsInMemory, asLive, byBank, liveAccount } from '../support/hosted-choice.ts'
import { cards, dayMs, hourMs, minuteMs, openTill, secondMs, type Till } from '../support/till.ts'

// A payment that is paid on a network's own page.

let till: Till
before(async () => {
  till = await openTill()
})
afterEach(() => till.rewind())
after(() => till.close())

const opened = { kind: 'action_required' }

async function lastState(key: PaymentKey): Promise<string | undefined> {
  return (await till.attempts(key)).at(-1)?.state
}

test('a customer goes to the page, pays and returns to a paid payment', async () => {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.choose(key, byBank, 'de'), opened)
  const [attempt] = await till.attempts(key)
  assert.match(attempt?.page_url ?? '', /\/test-network\/tb_/)
  assert.equal(attempt?.account_id, byBank.accountId)
  const [page] = await readPages(till.db, key)
  assert.equal(page?.language, 'de')
  assert.match(
    page?.return_url ?? '',
    new RegExp(`/payment/${key.merchantId}${key.number}/return\\?lang=de$`),
  )

  assert.equal(await till.onPage(key, 'pay'), true)
  assert.equal((await till.read(key)).state, 'pending', 'nobody has asked the network yet')
  await till.payer.lookAgain(key, 'from_the_page')
  assert.equal((await till.read(key)).state, 'success')
  const [paid] = await till.attempts(key)
  assert.equal(paid?.state, 'succeeded')
  assert.equal(paid?.charged_minor, (await till.read(key)).amount_minor)
})

test('returning unpaid counts as nothing', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.payer.lookAgain(key, 'from_the_page')
  assert.equal((await till.read(key)).state, 'pending')
  assert.equal(await lastState(key), 'action_required')
})

test('a lost callback and a customer who never returns cost half a minute', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  till.forward(31 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
})

test('an open page is checked less and less often, and withdrawn at its end', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  const asked: number[] = []
  for (let seconds = 0; seconds <= 3_700 && (await lastState(key)) === 'action_required'; seconds += 10) {
    till.forward(10 * secondMs)
    const checks = (await till.attempts(key))[0]?.checks
    await reconcile(till.paying)
    const [attempt] = await till.attempts(key)
    if (attempt?.checks !== checks || attempt?.state !== 'action_required') asked.push(seconds + 10)
  }
  assert.deepEqual(asked.slice(0, 5), [30, 60, 120, 300, 600])
  assert.equal(asked.at(-1), 3_600)
  assert.ok(asked.length < 20)
  assert.equal(await lastState(key), 'abandoned')
  assert.equal(await till.onPage(key, 'pay'), false)
  assert.equal((await till.read(key)).state, 'pending')
})

test('a slow bank is asked every few seconds once the customer has finished', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay_later')
  await till.payer.lookAgain(key, 'from_the_page')
  assert.equal(await lastState(key), 'submitted')
  assert.deepEqual(await till.payer.choose(key, byBank, 'en'), { kind: 'in_flight' })
  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
})

test('a bank undecided for days is waited for, and not asked every second', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  let asked = 0
  const slow = till.withBank({
    fetch: async () => {
      asked += 1
      return { kind: 'pending', connectorReference: 'x' }
    },
  })
  till.forward(31 * secondMs)
  await reconcile(slow)
  for (let hour = 0; hour < 24; hour += 1) {
    till.forward(hourMs)
    await reconcile(slow)
    till.forward(minuteMs)
    await reconcile(slow)
  }
  assert.equal(await lastState(key), 'submitted')
  assert.ok(asked < 40, `${asked} times`)
  await till.onPage(key, 'refuse')
  till.forward(hourMs)
  await reconcile(till.paying)
})

test('the same button leads to the same page, and another one closes it first', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  assert.deepEqual(await till.payer.choose(key, byBank, 'en'), opened)
  assert.equal((await readPages(till.db, key)).length, 1)

  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.equal(await till.onPage(key, 'pay'), false)
  assert.equal(await till.timesCharged(key), 1)
  assert.deepEqual(
    (await till.attempts(key)).map(({ state }) => state),
    ['abandoned', 'succeeded'],
  )
})

test('a customer who paid on the page and then presses another button has paid', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'in_flight' })
  assert.equal((await till.read(key)).state, 'success')
  assert.equal(await till.timesCharged(key), 1)
})

test('twenty simultaneous presses open one page', async () => {
  const key = await till.newPayment()
  const results = await Promise.all(
    Array.from({ length: 20 }, async () => till.payer.choose(key, byBank, 'en')),
  )
  assert.ok(results.every(({ kind }) => kind === 'action_required' || kind === 'in_flight'))
  assert.equal((await readPages(till.db, key)).length, 1)
})

test('paying, choosing again, cancelling and checking at once charge at most once, and match the bank', async () => {
  for (let round = 0; round < 15; round += 1) {
    const key = await till.newPayment()
    await till.payer.choose(key, byBank, 'en')
    await Promise.all([
      till.onPage(key, 'pay'),
      till.payer.pay(key, cards.good),
      till.payer.cancel(key, 'customer').catch(() => {}),
      till.payer.lookAgain(key, 'by_itself'),
    ])
    till.forward(minuteMs)
    await reconcile(till.paying)
    const charged = await till.timesCharged(key)
    assert.ok(charged <= 1)
    assert.equal((await till.read(key)).state === 'success', charged === 1)
  }
})

test('any cancel closes the network’s page first', async () => {
  for (const by of ['customer', bySystem] as const) {
    const key = await till.newPayment()
    await till.payer.choose(key, byBank, 'en')
    assert.equal((await till.payer.cancel(key, by)).state, 'cancelled')
    assert.equal(await till.onPage(key, 'pay'), false)
  }
})

test('a payment paid on the page can’t be cancelled', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  await assert.rejects(till.payer.cancel(key, 'customer'), { code: 'not_cancellable' })
  assert.equal((await till.read(key)).state, 'success')
})

test('a declined payment leaves the choice open', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'refuse')
  await till.payer.lookAgain(key, 'from_the_page')
  assert.equal(await lastState(key), 'declined')
  assert.deepEqual(await till.payer.choose(key, byBank, 'en'), opened)
  await till.onPage(key, 'pay')
  await till.payer.lookAgain(key, 'from_the_page')
  assert.equal((await till.read(key)).state, 'success')
})

test('a page opened in a payment’s last hour ends with it, and lives at least a quarter of an hour', async () => {
  const key = await till.newPayment()
  till.forward(dayMs - 30 * minuteMs)
  await till.payer.choose(key, byBank, 'en')
  const [attempt] = await till.attempts(key)
  assert.equal(attempt?.page_expires_at, (await till.read(key)).expires_at)
  till.forward(26 * minuteMs)
  await till.payer.choose(key, byBank, 'en')
  const again = (await till.attempts(key)).at(-1)
  assert.equal(Date.parse(again?.page_expires_at ?? ''), till.paying.now().getTime() + 15 * minuteMs)
})

test('networks are asked at most every three seconds, however many customers look', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  let asked = 0
  const payer = makePayer(
    till.withBank({
      fetch: async (account, order, signal) => {
        asked += 1
        return till.bank.fetch(account, order, signal)
      },
    }),
  )
  await Promise.all(Array.from({ length: 20 }, async () => payer.lookAgain(key, 'by_itself')))
  assert.equal(asked, 1)
  till.forward(3 * secondMs)
  await payer.lookAgain(key, 'by_itself')
  assert.equal(asked, 2)
})

test('a customer back from the page gets a fresh answer, even a second after another check', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.payer.lookAgain(key, 'by_itself')
  await till.onPage(key, 'pay')
  till.forward(secondMs)
  assert.equal(await till.payer.lookAgain(key, 'by_itself'), 'nothing_new')
  assert.equal(await till.payer.lookAgain(key, 'from_the_page'), 'new')
  assert.equal((await till.read(key)).state, 'success')
})

test('offers match the currency, the amount and the mode, without a sandbox beside real money', async () => {
  const key = await till.newPayment('live')
  const payment = await till.read(key)
  const small = asLive(till.bank, 'small', { limits: () => ({ least: 1n, most: payment.amount_minor - 1n }) })
  const coarse = asLive(till.bank, 'coarse', {
    limits: () => ({ least: 1n, most: 10n ** 9n, step: payment.amount_minor - 1n }),
  })
  const fits = asLive(till.bank, 'fits', {
    methods: (currency) => (currency === 'GBP' ? ['card', 'bank'] : []),
  })
  const offersWith = async (...accounts: ReturnType<typeof liveAccount>[]) => {
    const paying = till.withBank(
      {},
      { connectors: [small, coarse, fits, till.network, till.bank], accounts: accountsInMemory(accounts) },
    )
    return makePayer(paying).offers(payment)
  }
  assert.deepEqual(await offersWith(), { offers: [], amountOutOfRange: false })
  assert.deepEqual(await offersWith(liveAccount('small')), { offers: [], amountOutOfRange: true })
  assert.deepEqual(await offersWith(liveAccount('coarse')), { offers: [], amountOutOfRange: true })
  const { offers } = await offersWith(liveAccount('small'), liveAccount('fits'))
  assert.deepEqual(
    offers.map(({ accountId, method }) => [accountId, method]),
    [
      ['acc_fits', 'card'],
      ['acc_fits', 'bank'],
    ],
  )
  const twice = await offersWith(liveAccount('fits'), { ...liveAccount('fits'), id: 'acc_second' })
  assert.deepEqual(twice.offers, offers, 'two accounts with one network are one button')
  const sandboxes = await offersWith(liveAccount('fits', true))
  assert.ok(sandboxes.offers.every(({ sandbox }) => sandbox))
  assert.deepEqual(await offersWith(liveAccount('small', false), liveAccount('fits', true)), {
    offers: [],
    amountOutOfRange: true,
  })
})

test('a choice that isn’t offered opens nothing', async () => {
  const key = await till.newPayment()
  for (const choice of [
    { ...byBank, method: 'card' as const },
    { ...byBank, accountId: 'acc_other' },
  ]) {
    assert.deepEqual(await till.payer.choose(key, choice, 'en'), { kind: 'unavailable' })
  }
  const live = await till.newPayment('live')
  assert.deepEqual(await till.payer.choose(live, byBank, 'en'), { kind: 'unavailable' })
  assert.deepEqual(await till.attempts(key), [])
})
