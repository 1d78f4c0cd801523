import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import { isSandbox } from './account.ts'
import { callbackEvents } from './callback.ts'

const never = new AbortController().signal
const url = 'https://pay.example.com/callbacks/stripe/acc_1'

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

for (const [key, is] of [
  ['sk_test_1', true],
  ['rk_test_1', true],
  ['sk_live_1', false],
  ['rk_live_1', false],
  ['pk_test_1', false],
  ['live_sk_test_1', false],
] as const)
  test(`the key ${key} is ${is ? '' : 'not '}of a sandbox`, () => {
    assert.equal(isSandbox({ secret_key: key }), is)
  })

test('an account without a key is of no sandbox', () => {
  assert.equal(isSandbox({}), false)
})

async function checkedWith(path: RegExp, body: object) {
  void world.network.turn({ kind: 'says', body }, { path })
  const account = {
    ...world.account,
    credentials: { ...world.account.credentials, webhook_secret: 'whsec_1' },
  }
  const checked = await world.connector.check(account, url, never)
  return checked.kind === 'works' ? checked : assert.fail(checked.why)
}

const listed = (data: readonly object[]) => ({ object: 'list', has_more: false, data })

for (const [account, name] of [
  [{ settings: { dashboard: { display_name: 'Shop' } }, business_profile: { name: 'Ltd' } }, 'Shop (acct_1)'],
  [{ settings: { dashboard: { display_name: null } }, business_profile: { name: 'Ltd' } }, 'Ltd (acct_1)'],
  [{ settings: { dashboard: { display_name: null } }, business_profile: null }, 'acct_1'],
  [{ settings: { dashboard: { display_name: '' } } }, 'acct_1'],
  [{}, 'acct_1'],
] as const)
  test(`the account ${JSON.stringify(account)} is called ${name}`, async () => {
    const checked = await checkedWith(/account$/, { id: 'acct_1', object: 'account', ...account })
    assert.equal(checked.accountName, name)
  })

const method = (value: 'on' | 'off', available = true) => ({ available, display_preference: { value } })
const used = { is_default: true, active: true, application: null }
const schemes = ['visa', 'mastercard', 'amex']

for (const [what, configuration, marks] of [
  ['cards alone', { ...used, card: method('on') }, schemes],
  [
    'cards and Apple Pay',
    { ...used, card: method('on'), apple_pay: method('on') },
    [...schemes, 'apple_pay'],
  ],
  [
    'cards and Google Pay',
    { ...used, card: method('on'), google_pay: method('on') },
    [...schemes, 'google_pay'],
  ],
  ['wallets without cards', { ...used, card: method('off'), apple_pay: method('on') }, []],
  ['cards that are not available', { ...used, card: method('on', false) }, []],
  ['a configuration that is not the default', { ...used, is_default: false, card: method('on') }, []],
  ['a configuration that is switched off', { ...used, active: false, card: method('on') }, []],
  ['a configuration of another application', { ...used, application: 'ca_1', card: method('on') }, []],
] as const)
  test(`an account with ${what} shows ${marks.join(', ') || 'no schemes'}`, async () => {
    const body = listed([{ id: 'pmc_1', object: 'payment_method_configuration', ...configuration }])
    assert.deepEqual((await checkedWith(/payment_method_configurations/, body)).marks, marks)
  })

const endpoint = { id: 'we_1', object: 'webhook_endpoint', url, status: 'enabled', enabled_events: ['*'] }

for (const [what, endpoints, callbacks] of [
  ['every event', [endpoint], 'set_up'],
  ['the events that are read', [{ ...endpoint, enabled_events: callbackEvents }], 'set_up'],
  ['all events but one', [{ ...endpoint, enabled_events: callbackEvents.slice(1) }], 'missing'],
  ['every event to another address', [{ ...endpoint, url: `${url}0` }], 'missing'],
  ['nothing, as it is disabled', [{ ...endpoint, status: 'disabled' }], 'missing'],
  ['nothing, as there is none', [], 'missing'],
  ['every event beside another endpoint', [{ ...endpoint, url: `${url}0` }, endpoint], 'set_up'],
] as const)
  test(`callbacks are ${callbacks} when the endpoint gets ${what}`, async () => {
    assert.equal((await checkedWith(/webhook_endpoints/, listed(endpoints))).callbacks, callbacks)
  })
