import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { listKeys } from '../../src/core/merchants/list.ts'
import { webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { listAudit } from '../../src/core/audit/list-audit.ts'
import { hours, makeStillClock } from '../support/clock.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { newPerson, Visitor, type PersonAt, type PageAnswer } from '../support/visitor.ts'

// Keys that are shown once, rolled and revoked; the secret of notifications.

const clock = makeStillClock()
let house: House
let developer: Visitor
let person: PersonAt
let home: string

before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  person = await newPerson(house, { role: 'developer' })
  developer = new Visitor(house)
  await developer.signIn(person)
  home = `/dashboard/${house.merchantId}/test`
})
after(() => house.close())

const keyIn = ({ text }: PageAnswer): string =>
  /\b(?:sk|fk)_(?:test|live)_\w{38}|\bak_\w{38}/.exec(text)?.[0] ?? ''
const keys = async () => listKeys(house.db, house.merchantId)

async function acts(action: string) {
  const filter = { since: undefined, until: undefined, action, subject: undefined, limit: 100 }
  return listAudit(house.db, house.merchantId, filter)
}

test('a key is created with its name and rights, shown once with sample code, and audited', async () => {
  const made = await developer.fill(`${home}/keys/new`, { kind: 'secret', name: 'Web server', refunds: 'no' })
  assert.equal(made.status, 200)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const key = keyIn(made)
  assert.match(key, /^sk_test_/)
  assert.ok(made.text.split(key).length > 6, 'the code of each language has it')
  assert.doesNotMatch(made.text, /FLORIN_KEY/)
  const created = await post(`${house.url}/api/payment`, paymentRequest({ tx_ref: 'by-new-key' }), key)
  assert.equal(created.status, 201)
  const refund = await post(`${house.url}/api/transaction/by-new-key/refund`, {}, key)
  assert.equal(refund.status, 403)
  for (const path of ['/keys', `/keys/${(await keys()).at(-1)?.id}`]) {
    const { text } = await developer.get(home + path)
    assert.match(text, /Web server/)
    assert.match(text, /no refunds/)
    assert.ok(!text.includes(key), 'never again')
    assert.ok(text.includes(`&#8230;${key.slice(-4)}`))
  }
  const [act] = await acts('key.created')
  assert.deepEqual([act?.actor_kind, act?.actor], ['person', person.id])
})

test('project keys have no mode, and form keys have bounds', async () => {
  const api = await developer.fill(
    `${home}/keys/new?kind=api`,
    { kind: 'api', name: 'Projects' },
    `${home}/keys/new`,
  )
  assert.match(keyIn(api), /^ak_/)
  assert.equal((await call(`${house.url}/api/v1/projects`, { key: keyIn(api) })).status, 200)
  const fields = {
    kind: 'form',
    name: 'Shop page',
    hosts: 'shop.example.com, www.example.com',
    tx_ref_prefix: 'web-',
    currency: 'GBP',
    min: '1.00',
    max: '50.00',
    signed: 'no',
  }
  const form = await developer.fill(`${home}/keys/new?kind=form`, fields, `${home}/keys/new`)
  assert.match(keyIn(form), /^fk_test_/)
  const [stored] = (await keys()).filter(({ name }) => name === 'Shop page')
  assert.deepEqual(stored?.form, {
    hosts: ['shop.example.com', 'www.example.com'],
    callback_hosts: ['shop.example.com', 'www.example.com'],
    tx_ref_prefix: 'web-',
    currencies: ['GBP'],
    min_minor: 100,
    max_minor: 5000,
    signed: false,
    shows_title: false,
  })
  const page = await developer.get(`${home}/keys/${stored.id}`)
  assert.match(page.text, /&#163;50\.00/)
})

test('a key for a plugin of another service has its dialect when created, shown, checked, rolled and audited', async () => {
  const made = await developer.fill(`${home}/keys/new`, { kind: 'secret', name: 'Plugin', dialect: 'family' })
  const account = await call(`${house.url}/api/account`, { key: keyIn(made) })
  assert.deepEqual(account.json.data['key'], { kind: 'secret', name: 'Plugin', dialect: 'family' })
  const created = (await keys()).find(({ name }) => name === 'Plugin') ?? assert.fail()
  const { text } = await developer.get(`${home}/keys/${created.id}`)
  assert.match(text, /For a plugin written for PayChangu, Chapa or a script of that family/)
  assert.match((await developer.get(`${home}/keys`)).text, /Secret, for other plugins/)
  assert.deepEqual((await acts('key.created'))[0]?.after, {
    kind: 'secret',
    mode: 'test',
    hint: created.hint,
    name: 'Plugin',
    dialect: 'family',
  })
  await developer.fill(`${home}/keys/${created.id}/roll`, { overlap: '0' })
  assert.equal((await keys()).filter(({ dialect }) => dialect === 'family').length, 2)
})

test('mistakes in a new key are shown at their field and keep the input', async () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ name: '' }, /Enter a name/],
    [{ name: '4012888888881881' }, /must not contain a card number/],
    [{ hosts: '' }, /Enter the host of your page/],
    [{ hosts: 'https://shop.example.com/x' }, /but one is/],
    [{ max: '5.00', currency: '' }, /Choose a currency/],
    [{ max: 'much' }, /amount/],
    [{ min: '6.00', max: '5.00' }, /be less than the smallest/],
    [{ currency: 'XXX' }, /currency from the list/],
  ]
  const count = (await keys()).length
  for (const [change, rule] of wrong) {
    const fields = {
      kind: 'form',
      name: 'Typed name',
      hosts: 'a.example.com',
      currency: 'GBP',
      signed: 'yes',
      ...change,
    }
    const seen = await developer.fill(`${home}/keys/new?kind=form`, fields, `${home}/keys/new`)
    assert.equal(seen.status, 400, JSON.stringify(change))
    assert.match(seen.text, rule)
    if (change['name'] === undefined) assert.match(seen.text, /value="Typed name"/)
  }
  assert.equal((await keys()).length, count)
})

test('a key is rolled with an overlap, and revoked after a confirmation', async () => {
  const old = await createKey(house.db, house.merchantId, { kind: 'secret', mode: 'test', name: 'To roll' })
  const rolled = await developer.fill(`${home}/keys/${old.id}/roll`, { overlap: '1' })
  const key = keyIn(rolled)
  assert.ok(key !== '' && key !== old.key)
  for (const each of [old.key, key])
    assert.equal((await call(`${house.url}/api/form-refusals`, { key: each })).status, 200)
  assert.match((await developer.get(`${home}/keys/${old.id}`)).text, /ends soon/)
  assert.equal((await developer.fill(`${home}/keys/${old.id}/roll`, { overlap: '999' })).status, 400)
  const fresh = (await keys()).findLast(({ name }) => name === 'To roll')
  const asked = await developer.get(`${home}/keys/${fresh?.id}/revoke`)
  assert.match(asked.text, /never works again/)
  const revoked = await developer.post(`${home}/keys/${fresh?.id}/revoke`)
  assert.deepEqual([revoked.status, revoked.to], [303, `${home}/keys`])
  assert.match((await developer.get(`${home}/keys`)).text, /Key revoked/)
  assert.equal((await developer.get(`${home}/keys/${fresh?.id}/revoke`)).status, 404, 'not twice')
  assert.equal((await acts('key.rolled'))[0]?.actor, person.id)
  assert.equal((await acts('key.revoked'))[0]?.actor, person.id)
})

test('keys of the other mode and of another merchant are not found', async () => {
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  const foreign = await createKey(house.db, elsewhere, { kind: 'secret', mode: 'test', name: 'Foreign' })
  const live = (await keys()).find(({ mode }) => mode === 'live')
  for (const id of [foreign.id, live?.id, 'key_nothing'])
    for (const path of ['', '/roll', '/revoke'])
      assert.equal((await developer.get(`${home}/keys/${id}${path}`)).status, 404, `${id}${path}`)
  await developer.get(`${home}/keys`)
  assert.equal((await developer.post(`${home}/keys/${foreign.id}/revoke`)).status, 404)
  assert.equal((await developer.post(`${home}/keys/${live?.id}/roll`, { overlap: '0' })).status, 404)
})

test('the webhook secret is shown on request, which is audited, and can be rolled', async () => {
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  const [current] = await webhookSecrets(house, owner)
  const path = `${home}/keys/webhook-secret`
  const page = await developer.get(path)
  assert.ok(!page.text.includes(current?.secret ?? 'none'))
  assert.match(page.text, /timingSafeEqual/)
  const shown = await developer.post(`${path}/do/show`)
  assert.ok(shown.text.includes(current?.secret ?? 'none'))
  const [act] = await acts('webhook_secret.shown')
  assert.deepEqual([act?.actor, act?.subject], [person.id, 'test'])
  assert.ok(!JSON.stringify(act).includes(current?.secret ?? 'none'))
  const rolled = await developer.post(`${path}/do/roll`, { overlap: '24' })
  assert.deepEqual([rolled.status, rolled.to], [303, path])
  const both = await webhookSecrets(house, owner)
  assert.equal(both.length, 2)
  assert.notEqual(both[0]?.secret, current?.secret)
  assert.match((await developer.get(path)).text, /Signs until/)
})

test('an expired proof is requested again before a key is created or shown', async () => {
  clock.jump(hours)
  for (const path of ['/keys/new', `/keys/${(await keys())[0]?.id}/roll`])
    assert.match((await developer.get(home + path)).to, /^\/dashboard\/prove\?next=/)
  await developer.get(`${home}/keys/webhook-secret`)
  const seen = await developer.post(`${home}/keys/webhook-secret/do/show`)
  assert.match(seen.to, /^\/dashboard\/prove\?next=/)
})
