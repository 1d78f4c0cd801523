import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { listKeys } from '../../src/core/merchants/list.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { signedIn, type PageAnswer, type Visitor } from '../support/visitor.ts'

// Forms that are made for a merchant's page, those that were refused, and the log of requests.

let house: House
let developer: Visitor
let home: string

before(async () => {
  house = await openHouse()
  developer = await signedIn(house, { role: 'developer' })
  home = `/dashboard/${house.merchantId}/test`
})
after(() => house.close())

const keys = async () => listKeys(house.db, house.merchantId)

test('a form is generated, and it starts a payment', async () => {
  const bounds = { hosts: ['shop.example.com'] }
  const { key } = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'Plain',
    bounds,
  })
  const made = await developer.fill(`${home}/forms`, {
    secret_key: key,
    amount: '£12,00',
    currency: 'GBP',
    tx_ref: 'made-1',
  })
  assert.equal(made.status, 200)
  const fields = fieldsOf(made)
  assert.deepEqual(
    [fields.get('amount'), fields.get('tx_ref'), fields.get('secret_key')],
    ['12.00', 'made-1', key],
  )
  assert.equal((await send(fields)).status, 303)
  const begun = await developer.fill(`${home}/forms`, { secret_key: key, currency: 'GBP' })
  assert.equal(begun.status, 200, 'a key alone is no mistake: the page of a new key leads here')
  assert.doesNotMatch(begun.text, /id="form-html"|class="problem"/)
  assert.equal(
    (await developer.fill(`${home}/forms`, { secret_key: key, title: 'Chair', currency: 'GBP' })).status,
    400,
  )
})

test('a form whose key requires it is signed, and says so', async () => {
  const signed = {
    kind: 'form',
    mode: 'test',
    name: 'Signed',
    bounds: { hosts: ['shop.example.com'] },
  } as const
  const { key, formSecret = '' } = await createKey(house.db, house.merchantId, {
    ...signed,
    signing: house.secrets,
  })
  const made = await developer.fill(`${home}/forms`, {
    secret_key: key,
    amount: '12.00',
    currency: 'GBP',
    title: 'A & "B" <b>',
  })
  assert.match(made.text, /sign it again/)
  assert.ok(!made.text.includes(formSecret), 'the secret stays')
  const fields = fieldsOf(made)
  assert.match(fields.get('form_signature') ?? '', /^[0-9a-f]{64}$/)
  assert.equal(fields.get('title'), 'A & "B" <b>')
  assert.equal((await send(new Map([...fields, ['amount', '1.00']]))).status, 400)
  assert.equal((await send(fields)).status, 303)
})

/** As a page that has the code would send them. */
function fieldsOf({ text }: PageAnswer): Map<string, string> {
  const shown = /<pre[^>]*id="form-html"[^>]*><code>([^]*?)<\/code>/.exec(text)?.[1] ?? ''
  const code = plain(shown)
  return new Map(
    [...code.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      plain(value),
    ]),
  )
}

function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#8230;', '…')
    .replaceAll('&amp;', '&')
}

async function send(fields: ReadonlyMap<string, string>) {
  return call(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: new URLSearchParams([...fields, ['email', 'ada@example.com'], ['first_name', 'Ada']]).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

test('no form is generated with a key that isn’t for forms, or is someone else’s', async () => {
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere too' })
  const bounds = { hosts: ['shop.example.com'] }
  const foreign = await createKey(house.db, elsewhere, {
    kind: 'form',
    mode: 'test',
    name: 'Foreign',
    bounds,
  })
  const live = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'live',
    name: 'Live',
    bounds,
  })
  const refused: [string, RegExp][] = [
    [house.secretKey, /put a secret key in a page/],
    [foreign.key, /an active test form key/],
    [live.key, /an active test form key/],
    ['fk_test_nonsense', /an active test form key/],
    ['', /Enter a form key/],
  ]
  for (const [key, rule] of refused) {
    const seen = await developer.fill(`${home}/forms`, { secret_key: key, amount: '1.00', currency: 'GBP' })
    assert.equal(seen.status, 400)
    assert.match(seen.text, rule)
    assert.doesNotMatch(seen.text, /form-html/)
  }
  const own = await createKey(house.db, house.merchantId, { kind: 'form', mode: 'test', name: 'Own', bounds })
  const odd = await developer.fill(`${home}/forms`, { secret_key: own.key, amount: 'x', currency: 'GBP' })
  assert.equal(odd.status, 400)
  assert.match(odd.text, /amount must be/)
})

test('refused forms are listed, and link to their request', async () => {
  const bounds = { hosts: ['shop.example.com'] }
  const { key } = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'Refused',
    bounds,
  })
  await send(
    new Map([
      ['secret_key', key],
      ['tx_ref', 'refused-1'],
      ['amount', '-1'],
      ['currency', 'GBP'],
    ]),
  )
  await house.app.flush()
  const { text } = await developer.get(`${home}/forms/refused`)
  assert.match(text, /refused-1/)
  assert.match(text, /validation_failed/)
  const link = /class="row" href="([^"]+)"/.exec(text)?.[1] ?? ''
  const one = await developer.get(link)
  assert.equal(one.status, 200)
  assert.match(one.text, /POST \/ext_transfer/)
  assert.ok(!one.text.includes(key))
})

test('requests are found by outcome, method, path, key and id, and only in their mode', async () => {
  const first = await call(`${house.url}/api/transaction/not-there`, { key: house.secretKey })
  await call(`${house.url}/api/transactions?limit=3`, { key: house.secretKey })
  const live = await call(`${house.url}/api/transactions`, { key: house.liveKey })
  await house.app.flush()
  const all = await developer.get(`${home}/requests`)
  assert.match(all.text, /GET \/api\/transaction\/not-there/)
  const found = async (query: string): Promise<string> =>
    (await developer.get(`${home}/requests?${query}`)).text.replace(/<form class="filters"[^]*?<\/form>/, '')
  assert.match(await found('outcome=refused'), /not-there/)
  assert.doesNotMatch(await found('outcome=success'), /not-there/)
  assert.doesNotMatch(await found('method=POST'), /not-there/)
  assert.match(await found('path=not-th'), /not-there/)
  assert.doesNotMatch(await found('path=not-th'), /limit/)
  const key = (await keys()).find(({ name }) => name === 'test')
  assert.match(await found(`key=${key?.id}`), /not-there/)
  assert.match(await found('key=key_other'), /No matching requests/)
  const id = first.headers.get('x-request-id') ?? ''
  const led = await developer.get(`${home}/requests?request=${id}`)
  assert.equal(led.to, `${home}/requests/${id}`)
  const one = await developer.get(led.to)
  assert.match(one.text, /404/)
  assert.match(one.text, /not_found/)
  const otherMode = live.headers.get('x-request-id') ?? ''
  assert.equal((await developer.get(`${home}/requests/${otherMode}`)).status, 404)
  assert.equal((await developer.get(`${home.replace('test', 'live')}/requests/${otherMode}`)).status, 200)
  for (const odd of ['cursor=x', 'path=%00', 'outcome=x&method=x&key=%27', 'request=%00'])
    assert.ok([200, 400].includes((await developer.get(`${home}/requests?${odd}`)).status), odd)
})
