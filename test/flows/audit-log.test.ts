import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction, sqlState } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { auditActions, bySystem, recordAct, type Actor } from '../../src/core/audit/audit.ts'
import { listAudit, type EntryRow } from '../../src/core/audit/list-audit.ts'
import { createKey, revokeKey, rollKey } from '../../src/core/merchants/change-keys.ts'
import { changeMerchant, createMerchant, enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { rotateKey } from '../../src/core/audit/rotate-key.ts'
import { checkKey } from '../../src/platform/secrets/check-key.ts'
import { drawSecretsKey, readSecretsKey } from '../../src/platform/secrets/secrets-key.ts'
import { resendMany } from '../../src/core/notifications/bulk/resend-many.ts'
import { rollWebhookSecret, webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { receiversMeant } from '../../src/core/notifications/receiver-of.ts'
import { dumpTables } from '../support/search-everything.ts'

// Every act that changes a key, a secret, a right or a setting, or cancels a payment, has one entry, in its own commit, that
// nobody can change.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const ada: Actor = { kind: 'person', name: 'ada', address: '192.0.2.7', requestId: 'req_1234567890' }
const all = { since: undefined, until: undefined, action: undefined, subject: undefined, limit: 1_000 }

async function entries(merchantId = house.merchantId): Promise<EntryRow[]> {
  return listAudit(house.db, merchantId, all)
}

/** What `act` adds to the log of a merchant: exactly one entry. */
async function entryOf(act: () => Promise<unknown>, merchantId = house.merchantId): Promise<EntryRow> {
  const known = new Set((await entries(merchantId)).map(({ id }) => id))
  await act()
  const added = (await entries(merchantId)).filter(({ id }) => !known.has(id))
  assert.equal(added.length, 1, JSON.stringify(added))
  return added[0] as EntryRow
}

/** Of an entry, what does not hang on chance. */
function told({ actor_kind, actor, address, request_id, action, before: was, after: is }: EntryRow): unknown {
  return { actor_kind, actor, address, request_id, action, before: was, after: is }
}

const byAda = { actor_kind: 'person', actor: 'ada', address: '192.0.2.7', request_id: 'req_1234567890' }

test('creating, rolling, revoking and exposing keys is audited', async () => {
  const form = {
    kind: 'form',
    mode: 'live',
    name: 'Shop',
    bounds: { hosts: ['shop.example.com'], minMinor: 100n },
    signing: house.secrets,
  } as const
  let fresh = { id: '', key: '' }
  const made = await entryOf(async () => (fresh = await createKey(house.db, house.merchantId, form, ada)))
  const { hint } = made.after as { hint: string }
  const facts = {
    kind: 'form',
    mode: 'live',
    hint,
    name: 'Shop',
    hosts: ['shop.example.com'],
    callback_hosts: ['shop.example.com'],
    tx_ref_prefix: null,
    currencies: null,
    min_minor: '100',
    max_minor: null,
    shows_title: false,
    signed: true,
  }
  assert.equal(made.subject, fresh.id)
  assert.deepEqual(told(made), { ...byAda, action: 'key.created', before: null, after: facts })

  let next = { id: '', key: '' }
  const { db, merchantId, secrets: signing } = house
  const roll = async () => (next = await rollKey(db, merchantId, fresh.id, 24, ada, { signing }))
  const rolled = await entryOf(roll)
  assert.deepEqual([rolled.action, rolled.subject], ['key.rolled', fresh.id])
  const { key, overlap_hours } = rolled.after as Record<string, unknown>
  assert.deepEqual({ key, overlap_hours }, { key: next.id, overlap_hours: 24 })

  const revoked = await entryOf(async () => revokeKey(house.db, house.merchantId, fresh.id, ada))
  assert.deepEqual(
    [revoked.subject, told(revoked)],
    [fresh.id, { ...byAda, action: 'key.revoked', before: { hint }, after: null }],
  )

  const exposed = await entryOf(async () => {
    const body = new URLSearchParams({
      ...(paymentRequest() as Record<string, string>),
      secret_key: house.liveKey,
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const txRef of ['form-1', 'form-2']) {
      body.set('tx_ref', txRef)
      const answer = await call(`${house.url}/ext_transfer`, {
        method: 'POST',
        body: body.toString(),
        headers,
      })
      assert.equal(answer.status, 303, answer.text)
    }
  })
  assert.deepEqual([exposed.action, exposed.actor_kind], ['key.exposed', 'system'])
})

test('rolling a webhook secret and the secrets key is audited', async () => {
  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  await webhookSecrets(house, owner)
  const rolled = await entryOf(async () => rollWebhookSecret(house, owner, 1, ada))
  assert.deepEqual(told(rolled), {
    ...byAda,
    action: 'webhook_secret.rolled',
    before: null,
    after: { mode: 'test', overlap_hours: 1 },
  })

  const ring = house.app.secrets
  await checkKey(house.db, ring)
  const fresh = readSecretsKey(drawSecretsKey())
  assert.ok(fresh)
  const old = ring.keyId
  ring.accept(fresh)
  const rotated = await entryOf(async () => rotateKey(house.db, ring, fresh.id, ada), 0)
  assert.deepEqual(told(rotated), {
    ...byAda,
    action: 'secrets_key.rotated',
    before: { key: old },
    after: { key: fresh.id },
  })
})

test('simultaneous rolls are audited only if they created a secret', async () => {
  const owner = { merchantId: house.merchantId, mode: 'live' } as const
  for (let round = 0; round < 3; round += 1)
    await Promise.all([1, 2, 3].map(async () => rollWebhookSecret(house, owner, 1, ada)))
  const made = await house.db.query<{ id: string }>(sql`
    select id from webhook_secrets where merchant_id = ${house.merchantId} and mode = 'live'`)
  const rolled = (await entries()).filter(
    (entry) => (entry.after as { mode?: string } | null)?.mode === 'live',
  )
  const ids = rolled.filter(({ action }) => action === 'webhook_secret.rolled').map(({ subject }) => subject)
  assert.deepEqual(ids.toSorted(), made.map(({ id }) => id).toSorted())
})

test('changes to merchants and settings are audited with only what changed, and nothing if nothing did', async () => {
  let merchantId = 0
  const known = (await listAudit(house.db, undefined, all)).length
  merchantId = await createMerchant(house.db, { name: 'Tea & cake', currencies: ['EUR'] }, ada)
  assert.equal((await listAudit(house.db, undefined, all)).length, known + 1)
  const [made] = await entries(merchantId)
  assert.ok(made)
  const after_ = { name: 'Tea & cake', email: null, live: false, currencies: ['GBP', 'EUR'] }
  assert.deepEqual(told(made), { ...byAda, action: 'merchant.created', before: null, after: after_ })

  const live = await entryOf(
    async () => changeMerchant(house.db, merchantId, { liveEnabled: true }, ada),
    merchantId,
  )
  assert.deepEqual(told(live), {
    ...byAda,
    action: 'merchant.changed',
    before: { live: false },
    after: { live: true },
  })
  await changeMerchant(house.db, merchantId, { liveEnabled: true }, ada)
  assert.equal((await entries(merchantId)).length, 2)

  const usd = await entryOf(async () => enableCurrency(house.db, merchantId, 'USD', ada), merchantId)
  assert.deepEqual(
    [usd.action, usd.subject, usd.before, usd.after],
    ['merchant.currency_enabled', 'USD', null, { fee_fixed_minor: '20' }],
  )
})

test('a program deleting a project or cancelling a payment is audited, with address and request', async () => {
  const created = await post(`${house.url}/api/v1/projects`, { project: 'Spring' }, house.apiKey)
  const { id } = created.json.data as { id: string }
  const deleted = await entryOf(async () => {
    const answer = await call(`${house.url}/api/v1/projects/Spring`, { method: 'DELETE', key: house.apiKey })
    assert.equal(answer.status, 200)
  })
  assert.deepEqual(
    [deleted.action, deleted.subject, deleted.before],
    ['project.deleted', id, { name: 'Spring' }],
  )
  assert.deepEqual([deleted.actor_kind, deleted.address], ['key', '127.0.0.1'])
  assert.match(deleted.actor, /^key_/)

  const { txRef } = await createPayment(house)
  let requestId: string | null = ''
  const cancelled = await entryOf(async () => {
    const answer = await post(`${house.url}/api/transaction/${txRef}/cancel`, {}, house.secretKey)
    assert.equal(answer.status, 200)
    requestId = answer.headers.get('x-request-id')
  })
  assert.deepEqual(
    [cancelled.action, cancelled.subject, cancelled.request_id],
    ['payment.cancelled', txRef, requestId],
  )
  assert.deepEqual(cancelled.after, { mode: 'test', state: 'cancelled' })
})

test('a bulk resend is one entry, with its filter', async () => {
  for (let count = 0; count < 3; count += 1)
    await happens(house, await createPayment(house, { callback_url: 'http://127.0.0.1:1/ipn' }), 'paid')
  await house.db.query(sql`
    update deliveries set state = 'failed', next_try_at = null
    where merchant_id = ${house.merchantId} and kind = 'ipn' and target <> ''`)
  const receiver = receiversMeant('http://127.0.0.1:1')
  const filter = { merchantId: house.merchantId, mode: 'test', state: 'failed', receiver } as const
  let count = 0
  const resent = await entryOf(async () => (count = await resendMany(house.db, filter, ada)))
  assert.ok(count >= 3)
  const { until, ...asked } = resent.after as Record<string, unknown>
  assert.deepEqual(
    [resent.action, asked, typeof until],
    ['notifications.resent', { mode: 'test', state: 'failed', origin: 'http://127.0.0.1:1' }, 'string'],
  )
})

test('a refused or rolled-back action leaves no entry', async () => {
  const count = (await listAudit(house.db, undefined, all)).length
  await assert.rejects(revokeKey(house.db, house.merchantId, 'key_0000000000000000', ada))
  await assert.rejects(rollKey(house.db, house.merchantId, 'key_0000000000000000', 0, ada))
  await assert.rejects(changeMerchant(house.db, 10_000_000, { liveEnabled: true }, ada))
  await assert.rejects(createKey(house.db, 10_000_000, { kind: 'api', name: 'none' }, ada))
  await call(`${house.url}/api/v1/projects/None`, { method: 'DELETE', key: house.apiKey })
  await assert.rejects(
    inTransaction(house.db, async (tx) => {
      await recordAct(tx, house.merchantId, bySystem, { action: 'key.created', subject: 'key_1' })
      throw new Error('the power went')
    }),
    /the power went/,
  )
  assert.equal((await listAudit(house.db, undefined, all)).length, count)
})

test('an action that can’t be audited isn’t done', async () => {
  const odd: Actor = { ...ada, kind: 'ghost' as 'person' }
  const { id } = await createKey(house.db, house.merchantId, { kind: 'secret', name: 'stays' })
  await assert.rejects(revokeKey(house.db, house.merchantId, id, odd), /audit_log_actor_kind_check/)
  const rows = await house.db.query<{ revoked_at: string | null }>(sql`
    select revoked_at from keys where merchant_id = ${house.merchantId} and id = ${id}`)
  assert.deepEqual(rows, [{ revoked_at: null }])
})

test('the database refuses to change, delete or truncate the log, even for its owner', async () => {
  const known = await entries()
  for (const statement of [
    sql`update audit_log set actor = 'nobody' where merchant_id = ${house.merchantId}`,
    sql`delete from audit_log where merchant_id = ${house.merchantId}`,
    sql`delete from audit_log where id = ${known[0]?.id}`,
    sql`insert into audit_log (merchant_id, id, actor_kind, actor, action, subject)
        values (${house.merchantId}, ${known[0]?.id}, 'system', 'nobody', 'key.created', 'key_1')
        on conflict (merchant_id, id) do update set actor = 'nobody'`,
    sql`truncate audit_log`,
  ])
    await assert.rejects(house.db.query(statement), (error) => sqlState(error) === '23001', statement.text)
  assert.deepEqual(await entries(), known)
})

test('a role that is no superuser has no right to change the log', async () => {
  // The owner may delete, for the function that forgets what is old: audit-retention.test.ts.
  const rows = await house.db.query<{ privilege: string }>(sql`
    select distinct acl.privilege_type as privilege
    from pg_class cross join lateral aclexplode(relacl) as acl
    where oid = 'audit_log'::regclass and not (acl.grantee = relowner and acl.privilege_type = 'DELETE')
    order by 1`)
  const granted = rows.map(({ privilege }) => privilege)
  assert.ok(granted.includes('INSERT') && granted.includes('SELECT'))
  assert.deepEqual(
    granted.filter((privilege) => ['UPDATE', 'DELETE', 'TRUNCATE'].includes(privilege)),
    [],
  )
})

test('no entry holds a key or a secret, and every kind of entry was tested here', async () => {
  const found = await listAudit(house.db, undefined, all)
  // The others: audit-of-accounts.test.ts, refunds.test.ts, customer.test.ts; dashboard-audit.test.ts walks every form.
  const elsewhere =
    /^(account|person|team|audit|refunds?|receiver|endpoint|customer|charge|dispute|saved_method|link|payments|payout|bookkeeping|bank_statement)\.|^payment\.(note_|test_)|^merchant\.(suspended|resumed|fee_plan|currency_disabled|demo_)|^project\.(created|renamed)|\.(shown|test_sent)$/
  const kinds = auditActions.filter((action) => !elsewhere.test(action))
  assert.deepEqual(new Set(found.map(({ action }) => action)), new Set(kinds))
  const text = JSON.stringify(found) + (await dumpTables(house)).split('public.audit_log')[1]
  const secrets = (await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })).map(
    ({ secret }) => secret,
  )
  for (const canary of [house.secretKey, house.liveKey, house.apiKey, ...secrets])
    assert.ok(!text.includes(canary))
  assert.doesNotMatch(text, /(sk|fk)_(test|live)_[0-9A-Za-z]{8}|ak_[0-9A-Za-z]{8}|whsec_|fsec_/)
})
