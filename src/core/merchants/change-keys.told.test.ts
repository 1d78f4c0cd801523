import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testSecrets } from '../../../test/support/secrets.ts'
import { ada, openWitness, type WitnessedCall, type Witness } from '../../../test/support/witness.ts'
import type { Database } from '../../platform/database/database.ts'
import { MadeBefore } from '../../platform/errors/made-before.ts'
import { createKey, revokeKey, rollKey, type FreshKey, type KeyRequest } from './change-keys.ts'
import { createMerchant } from './create-merchant.ts'
import { listKeys, type KeySummary } from './list.ts'

// Each kind of key from its making to its end: what its merchant sees, what the audit log says, what all servers hear.

let db: Database
let witness: Witness
let merchantId: number
before(async () => {
  witness = await openWitness()
  db = witness.db
  merchantId = await createMerchant(db, { name: 'Corner shop' })
})
after(() => witness.close())

const hosts = ['shop.example.com']
const unbound = {
  callback_hosts: hosts,
  tx_ref_prefix: null,
  currencies: null,
  min_minor: null,
  max_minor: null,
}

type Case = {
  readonly request: Omit<KeyRequest, 'id'>
  readonly begins: string
  /** What the audit log says, besides the hint. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly mayRefund: boolean
  readonly form: KeySummary['form']
}

const cases: readonly Case[] = [
  {
    request: { kind: 'secret', name: 'till' },
    begins: 'sk_test_',
    facts: { kind: 'secret', mode: 'test', name: 'till' },
    mayRefund: true,
    form: null,
  },
  {
    request: { kind: 'secret', mode: 'live', name: 'till', mayRefund: true },
    begins: 'sk_live_',
    facts: { kind: 'secret', mode: 'live', name: 'till' },
    mayRefund: true,
    form: null,
  },
  {
    // Bounds and what signs are for forms alone.
    request: {
      kind: 'secret',
      name: 'till',
      mayRefund: false,
      dialect: 'family',
      bounds: { hosts },
      signing: testSecrets,
    },
    begins: 'sk_test_',
    facts: { kind: 'secret', mode: 'test', name: 'till', may_refund: false, dialect: 'family' },
    mayRefund: false,
    form: null,
  },
  {
    request: { kind: 'api', mode: 'live', name: 'projects' },
    begins: 'ak_',
    facts: { kind: 'api', mode: null, name: 'projects' },
    mayRefund: true,
    form: null,
  },
  {
    request: { kind: 'form', mode: 'live', name: 'button', bounds: { hosts } },
    begins: 'fk_live_',
    facts: {
      kind: 'form',
      mode: 'live',
      name: 'button',
      hosts,
      ...unbound,
      shows_title: false,
      signed: false,
    },
    mayRefund: true,
    form: { hosts, ...unbound, shows_title: false, signed: false },
  },
  {
    request: {
      kind: 'form',
      name: 'button',
      signing: testSecrets,
      bounds: {
        hosts,
        callbackHosts: ['hooks.example.com'],
        txRefPrefix: 'web-',
        currencies: ['GBP', 'EUR'],
        minMinor: 100n,
        maxMinor: 900n,
      },
    },
    begins: 'fk_test_',
    facts: {
      kind: 'form',
      mode: 'test',
      name: 'button',
      hosts,
      callback_hosts: ['hooks.example.com'],
      tx_ref_prefix: 'web-',
      currencies: ['GBP', 'EUR'],
      min_minor: '100',
      max_minor: '900',
      shows_title: false,
      signed: true,
    },
    mayRefund: true,
    form: {
      hosts,
      callback_hosts: ['hooks.example.com'],
      tx_ref_prefix: 'web-',
      currencies: ['GBP', 'EUR'],
      min_minor: 100,
      max_minor: 900,
      signed: true,
      shows_title: true,
    },
  },
]

let drawn = 0
const newId = (): string => `key_${String((drawn += 1)).padStart(16, '0')}`

/** A change of Ada's that gives a key, with what it left behind. */
async function witnessed(change: () => Promise<FreshKey>): Promise<{ fresh: FreshKey; seen: WitnessedCall }> {
  let fresh: FreshKey | undefined
  const seen = await witness.see(merchantId, async () => {
    fresh = await change()
  })
  return { fresh: fresh ?? assert.fail(), seen }
}

function oneAct(
  action: string,
  subject: string,
  was: object | null,
  is: object | null,
): WitnessedCall['acts'] {
  return [{ action, subject, actor: 'ada', before: was, after: is }]
}

async function find(id: string): Promise<KeySummary> {
  return (await listKeys(db, merchantId)).find((key) => key.id === id) ?? assert.fail('no key')
}

/** Shown once, and with a secret where forms are signed. */
function checkFresh({ id, key, formSecret }: FreshKey, asked: string, { begins, form }: Case): string {
  assert.equal(id, asked)
  assert.match(key, new RegExp(`^${begins}[0-9A-Za-z]{38}$`))
  assert.equal(formSecret !== undefined, form?.signed ?? false)
  return `${begins}…${key.slice(-4)}`
}

test('each kind of key is created, rolled to one like it, and revoked', async () => {
  for (const one of cases) {
    const { request, facts } = one
    const [first, second] = [newId(), newId()]
    const made = await witnessed(async () => createKey(db, merchantId, { ...request, id: first }, ada))
    const hint = checkFresh(made.fresh, first, one)
    assert.deepEqual(made.seen, {
      acts: oneAct('key.created', first, null, { ...facts, hint }),
      // Nobody can remember one that was not there.
      isTold: false,
    })
    const summary = await find(first)
    assert.deepEqual(
      [summary.hint, summary.may_refund, summary.dialect, summary.form],
      [hint, one.mayRefund, one.request.dialect ?? 'florin', one.form],
    )

    const rolled = await witnessed(async () =>
      rollKey(db, merchantId, first, 2, ada, { signing: testSecrets, newId: second }),
    )
    const nextHint = checkFresh(rolled.fresh, second, one)
    const is = { ...facts, hint: nextHint, key: second, overlap_hours: 2 }
    assert.deepEqual(rolled.seen, {
      acts: oneAct('key.rolled', first, { hint, ends_at: null }, is),
      isTold: true,
    })
    const next = await find(second)
    assert.deepEqual(next, { ...summary, id: second, hint: nextHint, created_at: next.created_at })
    assert.notEqual((await find(first)).ends_at, null)

    const revoked = await witness.see(merchantId, async () => revokeKey(db, merchantId, second, ada))
    assert.deepEqual(revoked, { acts: oneAct('key.revoked', second, { hint: nextHint }, null), isTold: true })
    assert.notEqual((await find(second)).revoked_at, null)
  }
})

test('a key requested twice is created once, and one without an id gets a new one', async () => {
  const request = { kind: 'secret', name: 'till' } as const
  const [first, second] = [newId(), newId()]
  await createKey(db, merchantId, { ...request, id: first })
  await rollKey(db, merchantId, first, 1, ada, { newId: second })
  const known = await listKeys(db, merchantId)
  const seen = await witness.see(merchantId, async () => {
    await assert.rejects(createKey(db, merchantId, { ...request, id: first }), MadeBefore)
    await assert.rejects(rollKey(db, merchantId, first, 0, ada, { newId: second }), MadeBefore)
  })
  assert.deepEqual(seen, { acts: [], isTold: false })
  assert.deepEqual(await listKeys(db, merchantId), known)
  const [one, other] = [await createKey(db, merchantId, request), await rollKey(db, merchantId, first, 1)]
  for (const { id } of [one, other]) assert.match(id, /^key_[0-9A-Za-z]{16}$/)
})

test('a signed form key can’t be rolled to an unsigned one', async () => {
  const request = { kind: 'form', name: 'button', bounds: { hosts }, signing: testSecrets } as const
  const { id } = await createKey(db, merchantId, request)
  const known = await listKeys(db, merchantId)
  const seen = await witness.see(merchantId, async () =>
    assert.rejects(rollKey(db, merchantId, id, 1), /needs a key ring/),
  )
  assert.deepEqual(seen, { acts: [], isTold: false })
  assert.deepEqual(await listKeys(db, merchantId), known)
})
