import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelChanges } from '../../../../test/support/page-model.ts'
import {
  ask,
  digits,
  key,
  scriptCheckout,
  token,
  type Script,
} from '../../../../test/support/scripted-checkout.ts'
import { addHosted } from './routes.ts'

const home = `/payment/${digits}`
const offers = {
  offers: [{ accountId: 'acc_1', connector: 'stripe', label: 'Stripe', method: 'card', sandbox: false }],
  amountOutOfRange: false,
}
const pageUrl = 'https://network.example/page-1'
const hosted = { accountId: 'acc_1', connector: 'stripe', method: 'card', pageUrl } as const

test('choosing a network opens its page, or leads to it if already open', async () => {
  const choose = async (
    payment: ModelChanges,
    kind: string,
    choice: Readonly<Record<string, string>> = { account: 'acc_1', method: 'card' },
    verb = '/choose',
  ) => {
    const { checkout, asked } = scriptCheckout({
      payment: { mode: 'live', ...payment },
      answers: { offers, choose: { kind } },
    })
    const { status, location } = await ask(addHosted, checkout, verb, {
      form: { token: token('live'), ...choice },
    })
    assert.equal(status, 303)
    return { to: location?.slice(home.length), asked }
  }
  const chosen = (language = 'en') => [['choose', key, { accountId: 'acc_1', method: 'card' }, language]]
  for (const kind of ['action_required', 'in_flight'])
    assert.deepEqual(await choose({}, kind), { to: '/away', asked: chosen() }, kind)
  for (const kind of ['unavailable', 'closed', 'waiting'])
    assert.deepEqual(await choose({}, kind), { to: '', asked: chosen() }, kind)
  assert.deepEqual(await choose({}, 'action_required', undefined, '/choose?lang=de'), {
    to: '/away?lang=de',
    asked: chosen('de'),
  })
  const nothing = { to: '', asked: [] }
  for (const choice of [{ account: 'acc_1' }, { account: 'acc_1', method: 'gold' }])
    assert.deepEqual(await choose({}, 'action_required', choice), nothing)
  for (const state of ['success', 'cancelled'] as const)
    assert.deepEqual(await choose({ state }, 'action_required'), nothing, state)
})

test('a forged or reloaded choice opens nothing', async () => {
  const { checkout, asked } = scriptCheckout({ answers: { offers, choose: { kind: 'action_required' } } })
  const form = { account: 'acc_1', method: 'card', token: 'none' }
  assert.equal((await ask(addHosted, checkout, '/choose', { form })).status, 403)
  const loaded = await ask(addHosted, checkout, '/choose')
  assert.deepEqual([loaded.status, loaded.location], [303, home])
  assert.deepEqual(asked, [])
})

test('the exit leads to the network’s open page, waits while it opens, and otherwise goes back', async () => {
  const goOut = async (payment: ModelChanges): Promise<string> => {
    const { checkout, asked } = scriptCheckout({ payment, answers: { lookAgain: 'new' } })
    const { status, location, body, headers } = await ask(addHosted, checkout, '/away?lang=de')
    assert.deepEqual(asked, [], 'that page knows: nobody waits for the network’s word here')
    if (status === 303) return `to ${location}`
    assert.equal(headers['content-language'], 'de')
    return body.includes(`href="${pageUrl}"`)
      ? 'out'
      : body.includes('Die Zahlungsseite wird')
        ? 'waits'
        : 'lost'
  }
  const back = `to ${home}?lang=de`
  assert.equal(await goOut({ attempt: { state: 'action_required', hosted } }), 'out')
  assert.equal(await goOut({ attempt: { state: 'started', hosted } }), 'waits')
  for (const payment of [
    {},
    { attempt: { state: 'action_required' } },
    { attempt: { state: 'started' } },
    { attempt: { state: 'action_required', hosted: { ...hosted, pageUrl: undefined } } },
    { attempt: { state: 'submitted', hosted } },
    { attempt: { state: 'declined', hosted } },
    { state: 'cancelled', attempt: { state: 'action_required', hosted } },
    { state: 'success', attempt: { state: 'started', hosted } },
  ] as const)
    assert.equal(await goOut(payment), back, JSON.stringify(payment))
})

test('a returning customer waits while the network is undecided, and otherwise sees the payment', async () => {
  const comeBack = async (script: Script, verb = '/return') => {
    const { checkout, asked } = scriptCheckout({ ...script, answers: { lookAgain: 'new' } })
    const { status, location } = await ask(addHosted, checkout, verb)
    assert.equal(status, 303)
    return { to: location?.slice(home.length), asked }
  }
  const open: ModelChanges = { attempt: { state: 'action_required', hosted } }
  const asked = [['lookAgain', key, 'from_the_page']]
  assert.deepEqual(await comeBack({ payment: open }), { to: '?returned=1', asked })
  assert.deepEqual(await comeBack({ payment: open }, '/return?lang=de'), { to: '?lang=de&returned=1', asked })
  const paid: ModelChanges = { state: 'success', attempt: { state: 'succeeded', hosted } }
  assert.deepEqual(await comeBack({ payment: open, next: paid }), { to: '', asked })
  const withShop: ModelChanges = { ...paid, return_url: 'https://shop.example/' }
  assert.deepEqual(await comeBack({ payment: open, next: withShop }), { to: '/done', asked })
  const declined: ModelChanges = { attempt: { state: 'declined', hosted } }
  assert.deepEqual(await comeBack({ payment: open, next: declined }), { to: '', asked })
  assert.deepEqual(await comeBack({ payment: {} }), { to: '', asked: [] })
})

test('a customer who left without paying reads that nothing was taken, once the network confirms it', async () => {
  const leave = async (looked: string, next?: ModelChanges) => {
    const payment: ModelChanges = { mode: 'live', attempt: { state: 'action_required', hosted } }
    const { checkout, asked } = scriptCheckout({
      payment,
      ...(next && { next }),
      answers: { lookAgain: looked, offers },
    })
    const { status, location, body } = await ask(addHosted, checkout, '/left')
    assert.deepEqual(asked[0], ['lookAgain', key, 'from_the_page'])
    return status === 303 ? location : /id="left"[^]*?<\/div>/.exec(body)?.[0]
  }
  assert.match(
    (await leave('still_open')) ?? '',
    /You left the payment page before paying\.[^]*No money has been taken\./,
  )
  assert.equal(await leave('nothing_new'), home, 'nobody knows, and nothing is claimed')
  const paid: ModelChanges = { mode: 'live', state: 'success', attempt: { state: 'succeeded', hosted } }
  assert.equal(await leave('new', paid), home)
})
