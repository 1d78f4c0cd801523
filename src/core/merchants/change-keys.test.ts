import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createKey, revokeKey, rollKey } from './change-keys.ts'
import type { FormBounds } from './form-bounds.ts'
import { createMerchant } from './create-merchant.ts'
import { listKeys, listMerchants, type KeySummary } from './list.ts'

let home: TestDatabase
let db: Database
let merchantId: number

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
})

after(async () => {
  await db.close()
  await home.drop()
})

test('a merchant has an 8-digit number and many keys, each with a name', async () => {
  const [merchant] = await listMerchants(db)
  assert.match(String(merchant?.merchant), /^[1-9]\d{7}$/)
  const first = await createKey(db, merchantId, { kind: 'secret', name: 'till one' })
  const second = await createKey(db, merchantId, { kind: 'secret', name: 'till two' })
  assert.equal((await find(first.id)).name, 'till one')
  assert.equal((await find(second.id)).hint, `sk_test_…${second.key.slice(-4)}`)
})

test('a rolled key is replaced by one like it', async () => {
  const bounds = { hosts: ['shop.example.com'], currencies: ['GBP'], minMinor: 1n, maxMinor: 9n }
  const old = await createKey(db, merchantId, { kind: 'form', mode: 'live', name: 'button', bounds })
  const fresh = await rollKey(db, merchantId, old.id, 72)
  assert.notEqual(fresh.key, old.key)
  const [ending, next] = [await find(old.id), await find(fresh.id)]
  assert.deepEqual([next.kind, next.mode, next.name, next.ends_at], ['form', 'live', 'button', null])
  const endsInMs = Date.parse(ending.ends_at ?? '') - Date.parse(next.created_at)
  assert.equal(endsInMs, 72 * 3_600_000)
})

test('a form key keeps its bounds when rolled, each alone and all together', async () => {
  const hosts = ['shop.example.com', 'shop.example.org']
  const bounds: FormBounds[] = [
    { hosts },
    { hosts, currencies: ['GBP', 'EUR'] },
    { hosts, minMinor: 1n },
    { hosts, maxMinor: 900n },
    // Takes nothing at all: without its bound it would take everything.
    { hosts, maxMinor: 0n },
    { hosts, callbackHosts: ['hooks.example.com'] },
    { hosts, txRefPrefix: 'web-' },
    { hosts, showsTitle: true },
    { hosts, currencies: ['GBP'], minMinor: 1n, maxMinor: 9n, txRefPrefix: 'web-', showsTitle: true },
  ]
  for (const bound of bounds) {
    const old = await createKey(db, merchantId, { kind: 'form', name: 'button', bounds: bound })
    const fresh = await rollKey(db, merchantId, old.id, 1)
    assert.deepEqual(await boundsOf(fresh.id), await boundsOf(old.id))
    assert.deepEqual(await boundsOf(fresh.id), {
      form_hosts: hosts,
      form_callback_hosts: bound.callbackHosts ?? hosts,
      form_tx_ref_prefix: bound.txRefPrefix ?? null,
      form_shows_title: bound.showsTitle ?? false,
      form_currencies: bound.currencies ?? null,
      form_min_minor: bound.minMinor ?? null,
      form_max_minor: bound.maxMinor ?? null,
    })
  }
})

test('a form key can’t be bound to more than a host: nothing could match it', async () => {
  for (const host of ['localhost:8080', 'https://shop.example.com', '*.example.com']) {
    const bounds = { hosts: ['shop.example.com', host] }
    await assert.rejects(createKey(db, merchantId, { kind: 'form', name: 'button', bounds }), {
      code: 'validation_failed',
      message: `hosts must be host names such as shop.example.com: no https://, no port, no path, no *, but one is "${host}"`,
    })
  }
})

test('a new form key names its hosts, and a prefix that a tx_ref can start with', async () => {
  const make = async (bounds?: FormBounds) =>
    createKey(db, merchantId, { kind: 'form', name: 'button', ...(bounds && { bounds }) })
  for (const bounds of [undefined, { hosts: [] }]) {
    await assert.rejects(make(bounds), {
      code: 'validation_failed',
      message: 'hosts is required for a form key: the hosts customers may return to',
    })
  }
  const hosts = ['shop.example.com']
  for (const txRefPrefix of ['', ' web-', 'web- ', 'a\nb', '\ud800', 'x'.repeat(101)])
    await assert.rejects(make({ hosts, txRefPrefix }), /tx_ref_prefix must be 1 to 100 characters/)
  await assert.rejects(make({ hosts, callbackHosts: ['https://a'] }), /callback_hosts must be host names/)
  const { key, formSecret } = await make({ hosts, txRefPrefix: 'x'.repeat(100) })
  assert.match(key, /^fk_test_/)
  assert.equal(formSecret, undefined)
})

test('a signed form key’s secret is shown once and never listed', async () => {
  const bounds = { hosts: ['shop.example.com'] }
  const fresh = await createKey(db, merchantId, {
    kind: 'form',
    name: 'button',
    bounds,
    signing: testSecrets,
  })
  assert.match(fresh.formSecret ?? '', /^fsec_[0-9A-Za-z]{43}$/)
  const listed = await find(fresh.id)
  assert.equal(listed.form?.signed, true)
  assert.ok(!JSON.stringify(listed).includes('fsec_'))
  const secretKey = await createKey(db, merchantId, { kind: 'secret', name: 'till', signing: testSecrets })
  assert.equal(secretKey.formSecret, undefined, 'only forms are signed')
})

test('rolling a key again can bring its end forward, never delay it', async () => {
  const old = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  await rollKey(db, merchantId, old.id, 1)
  const first = (await find(old.id)).ends_at
  await rollKey(db, merchantId, old.id, 72)
  assert.equal((await find(old.id)).ends_at, first)
  await rollKey(db, merchantId, old.id, 0)
  assert.ok(Date.parse((await find(old.id)).ends_at ?? '') < Date.parse(first ?? ''))
})

test('an overlap outside 0 to 72 hours is refused', async () => {
  const key = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  for (const overlap of [-1, 73, Number.NaN]) {
    await assert.rejects(rollKey(db, merchantId, key.id, overlap), /overlap must be 0 to 72 hours/)
  }
})

test('a revoked key can’t be rolled or revoked again', async () => {
  const key = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  await revokeKey(db, merchantId, key.id)
  const { revoked_at } = await find(key.id)
  await assert.rejects(rollKey(db, merchantId, key.id, 1), /Key not found/)
  await assert.rejects(revokeKey(db, merchantId, key.id), /Key not found/)
  assert.equal((await find(key.id)).revoked_at, revoked_at)
})

test('another merchant’s keys can’t be changed, seen or created', async () => {
  const other = await createMerchant(db, { name: 'Other shop' })
  const key = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  await assert.rejects(rollKey(db, other, key.id, 1), /Key not found/)
  await assert.rejects(revokeKey(db, other, key.id), /Key not found/)
  assert.deepEqual(await listKeys(db, other), [])
  await assert.rejects(listKeys(db, 10_000_000), /Merchant not found/)
  await assert.rejects(createKey(db, 10_000_000, { kind: 'secret', name: 'till' }), /Merchant not found/)
})

test('a name is required, with a maximum length', async () => {
  for (const name of ['', 'a'.repeat(101)]) {
    await assert.rejects(
      createKey(db, merchantId, { kind: 'secret', name }),
      /name must be 1 to 100 characters/,
    )
    await assert.rejects(createMerchant(db, { name }), /name must be 1 to 100 characters/)
  }
  for (const name of ['a', 'a'.repeat(100)]) {
    assert.equal((await find((await createKey(db, merchantId, { kind: 'secret', name })).id)).name, name)
    await createMerchant(db, { name })
  }
})

test('no name of a merchant or key may hold a card number', async () => {
  for (const name of [
    '4242 4242 4242 4242',
    'Till ４２４２４２４２４２４２４２４２',
    'amex 3782/822463/10005',
  ]) {
    const refused = {
      code: 'validation_failed',
      message: 'name must not contain a card number: Florin never stores card numbers',
    }
    await assert.rejects(createKey(db, merchantId, { kind: 'secret', name }), refused)
    await assert.rejects(createMerchant(db, { name }), refused)
  }
})

test('an unknown currency is refused, and no merchant is created', async () => {
  const count = (await listMerchants(db)).length
  await assert.rejects(
    createMerchant(db, { name: 'Shop', currencies: ['XXZ'] }),
    /Invalid currency, XXZ is not supported/,
  )
  assert.equal((await listMerchants(db)).length, count)
})

async function boundsOf(id: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.query<Record<string, unknown>>(sql`
    select form_hosts, form_callback_hosts, form_tx_ref_prefix, form_shows_title, form_currencies, form_min_minor,
      form_max_minor
    from keys
    where merchant_id = ${merchantId} and id = ${id}`)
  return row
}

async function find(id: string): Promise<KeySummary> {
  const found = (await listKeys(db, merchantId)).find((key) => key.id === id)
  assert.ok(found)
  return found
}
