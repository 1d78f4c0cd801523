import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { lookUpKey } from '../../src/core/merchants/authenticate.ts'
import { revokeKey, type FreshKey } from '../../src/core/merchants/change-keys.ts'
import { openFormSecret } from '../../src/core/merchants/form-secret.ts'
import { installationSecret } from '../../src/platform/secrets/installation-secrets.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { countSealings, resealAll, sealPlain } from '../../src/platform/secrets/reseal.ts'
import { drawSecretsKey, readSecretsKey, type SecretsKey } from '../../src/platform/secrets/secrets-key.ts'
import { makeSecrets, Unsealable } from '../../src/platform/secrets/secrets.ts'
import { drawSecret } from '../../src/core/notifications/ipn/signature.ts'
import { rollWebhookSecret, webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { sealedRooms } from '../../src/app/rooms.ts'
import { openFormShop, signed } from '../support/form-shop.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'
import { dumpTables } from '../support/search-everything.ts'

// What a copy of the database holds, and what becomes of the secrets of an installation from before they were sealed.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

function freshKey(): SecretsKey {
  const key = readSecretsKey(drawSecretsKey())
  assert.ok(key)
  return key
}

/** In every way that somebody might look for it in a copy. */
function spellings(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret)
  const raw =
    typeof secret === 'string' ? Buffer.from(secret.replace(/^(?:whsec|fsec)_/, ''), 'base64') : bytes
  return [bytes, raw].flatMap((one) => [
    one.toString('latin1'),
    one.toString('hex'),
    one.toString('base64').replace(/=+$/, ''),
    one.toString('base64url'),
  ])
}

test('a dump of every table holds no usable secret, in plain, base64 or hex', async () => {
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  const receiver = await openReceiver()
  const worker = house.app.startWorker()
  const payment = await createPayment(house, { callback_url: receiver.url })
  await call(`${house.url}/payment/${payment.merchantId}${payment.number}`)
  await happens(house, payment, 'paid')
  await receiver.first(1)
  await worker.stop()
  await rollWebhookSecret(house, owner, 24)
  const web = openFormShop(house)
  const formKey = await web.formKey({}, true)
  assert.equal((await web.send(signed(formKey))).status, 303)
  const canaries = [
    formKey.formSecret ?? '',
    ...(await webhookSecrets(house, owner)).map(({ secret }) => secret),
    await installationSecret(house.db, house.secrets, 'checkout'),
    await installationSecret(house.db, house.secrets, 'form'),
    house.secretKey,
    house.apiKey,
  ]
  assert.equal(canaries.length, 7)
  const dump = await dumpTables(house)
  assert.match(dump, /webhook_secrets\n\(\d+,test,[^\n]*,whs_\w+,"\\\\x01/)
  assert.match(dump, /\npublic\.keys\n(?:\([^\n]+\n)*\([^\n]*,"\\\\x01[0-9a-f]{168}"[,)]/)
  for (const canary of canaries)
    for (const spelling of spellings(canary)) assert.ok(!dump.includes(spelling), spelling)
  await receiver.close()
})

/** Rows as the release before wrote them, which may still be running. */
async function storePlain(db: Database, merchantId: number): Promise<string> {
  const secret = drawSecret()
  await db.query(sql`
    insert into webhook_secrets (merchant_id, mode, secret) values (${merchantId}, 'test', ${secret})
    on conflict (merchant_id, mode) where ends_at is null do nothing`)
  return secret
}

test('old plain secrets keep signing, are sealed at the first start, and stay the same', async () => {
  const merchantId = await createMerchant(house.db, { name: 'From before' })
  const secret = await storePlain(house.db, merchantId)
  const shared = randomBytes(32)
  await house.db.query(sql`insert into installation_secrets (name, secret) values ('before', ${shared})`)
  const owner = { merchantId, mode: 'test' } as const

  const read = async (): Promise<unknown> => [
    (await webhookSecrets(house, owner)).map((one) => one.secret),
    await installationSecret(house.db, house.secrets, 'before'),
  ]
  assert.deepEqual(await read(), [[secret], shared])
  // Two servers that start at once, and one that starts later.
  const counts = await Promise.all([1, 2].map(() => sealPlain(house.db, house.secrets, sealedRooms)))
  assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), 2)
  assert.equal(await sealPlain(house.db, house.secrets, sealedRooms), 0)
  assert.deepEqual(await read(), [[secret], shared])
  const dump = await dumpTables(house)
  for (const canary of [secret, shared])
    for (const spelling of spellings(canary)) assert.ok(!dump.includes(spelling), spelling)
})

test('a notification is signed with the same secret before and after sealing', async () => {
  const receiver = await openReceiver()
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  await house.db.query(sql`delete from webhook_secrets where merchant_id = ${house.merchantId}`)
  const secret = await storePlain(house.db, house.merchantId)
  const worker = house.app.startWorker()
  for (const count of [1, 2]) {
    await happens(house, await createPayment(house, { callback_url: receiver.url }), 'paid')
    const ipn = (await receiver.first(count)).at(-1)
    assert.equal(
      ipn?.headers['signature'],
      createHmac('sha256', secret)
        .update(ipn?.body ?? '')
        .digest('hex'),
    )
    await sealPlain(house.db, house.secrets, sealedRooms)
  }
  assert.equal((await webhookSecrets(house, owner))[0]?.secret, secret)
  await worker.stop()
  await receiver.close()
})

test('a secret moved into another merchant’s row doesn’t open there', async () => {
  const other = await createMerchant(house.db, { name: 'Other' })
  await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  await house.db.query(sql`
    insert into webhook_secrets (merchant_id, mode, id, sealed)
    select ${other}, mode, id, sealed from webhook_secrets
    where merchant_id = ${house.merchantId} and mode = 'test' and ends_at is null`)
  await assert.rejects(webhookSecrets(house, { merchantId: other, mode: 'test' }), Unsealable)
  await house.db.query(sql`delete from webhook_secrets where merchant_id = ${other}`)
})

test('a form key’s secret doesn’t open in another key’s row, and the form is refused', async () => {
  const web = openFormShop(house)
  const [one, other] = [await web.formKey({}, true), await web.formKey({}, true)]
  await house.db.query(sql`
    update keys set form_secret = (
      select form_secret from keys where merchant_id = ${house.merchantId} and id = ${one.id})
    where merchant_id = ${house.merchantId} and id = ${other.id}`)
  assert.equal((await web.send(signed(one))).status, 303)
  const { status, text } = await web.send(signed(other, {}, one.formSecret))
  assert.equal(status, 500)
  assert.ok(!text.includes('form secret'), text)
  assert.match(house.log(), new RegExp(`The form secret \\d+/${other.id} in keys can't be decrypted`))
  assert.ok(!house.log().includes(one.formSecret ?? '-'))
  await revokeKey(house.db, house.merchantId, other.id)
  await house.db.query(sql`
    update keys set form_secret = null where merchant_id = ${house.merchantId} and id = ${other.id}`)
})

test('everything is resealed under a new key, and what no key opens is left and counted', async () => {
  const [fresh, lost] = [freshKey(), freshKey()]
  const ring = house.app.secrets
  const merchantId = await createMerchant(house.db, { name: 'Lost' })
  await webhookSecrets({ db: house.db, secrets: makeSecrets(lost) }, { merchantId, mode: 'live' })
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  const known = await webhookSecrets(house, owner)
  const web = openFormShop(house)
  const formKeys = [await web.formKey({}, true), await web.formKey({}, true)]
  const [used, fresher] = formKeys as [FreshKey, FreshKey]
  // This server remembers the key with its secret under the old one.
  assert.equal((await web.send(signed(used))).status, 303)

  ring.accept(fresh)
  assert.ok(ring.sealUnder(fresh.id))
  assert.ok((await resealAll(house.db, ring, sealedRooms)) > 2)
  assert.equal(await resealAll(house.db, ring, sealedRooms), 0)
  const alone = { db: house.db, secrets: makeSecrets(fresh) }
  assert.deepEqual(await webhookSecrets(alone, owner), known)
  for (const { key, formSecret } of formKeys) {
    const holder = await lookUpKey(house.db, key)
    assert.equal(holder && openFormSecret(alone.secrets, holder), formSecret)
  }
  for (const key of [used, fresher]) assert.equal((await web.send(signed(key))).status, 303)
  const counts = await countSealings(house.db, sealedRooms)
  assert.ok((counts.find(({ what }) => what === 'form secrets')?.byKey.get(fresh.id) ?? 0) >= 2)
  const keys = counts.flatMap(({ byKey }) => [...byKey.keys()])
  assert.deepEqual(new Set(keys), new Set([fresh.id, lost.id]))
})
