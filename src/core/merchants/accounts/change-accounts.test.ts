import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { ada, openWitness, type WitnessedCall, type Witness } from '../../../../test/support/witness.ts'
import { createMerchant } from '../create-merchant.ts'
import { addAccount, changeAccount, recordChecked, removeAccount } from './change-accounts.ts'
import { listAccounts } from './list-accounts.ts'
import { readAccounts } from './read-accounts.ts'
import type { Owner } from './stored-accounts.ts'

let witness: Witness
before(async () => {
  witness = await openWitness()
})
after(() => witness.close())

const nothing: WitnessedCall = { acts: [], isTold: false }
const added = {
  connector: 'stripe',
  credentials: { secret_key: 'first', webhook_secret: 'hidden' },
  label: 'Corner shop (acct_1)',
  sandbox: false,
  callbacks: 'missing',
} as const
const changed = {
  credentials: { secret_key: 'second' },
  label: 'Kiosk',
  sandbox: true,
  callbacks: 'unknown',
} as const
const checked = { label: 'Kiosk & sons', sandbox: false, callbacks: 'set_up' } as const

/** A merchant, and the installation itself, with the number under which each is told and written down. */
async function owners(): Promise<readonly (readonly [Owner, number])[]> {
  const merchantId = await createMerchant(witness.db, { name: 'Corner shop' })
  return [
    [merchantId, merchantId],
    ['installation', 0],
  ]
}

/** The newest, as its owner sees it, and what it is opened with. */
async function newest(owner: Owner): Promise<object> {
  const [summary] = await listAccounts(witness.db, owner)
  const [account] = await readAccounts(witness.db, testSecrets, owner)
  assert.ok(summary && account)
  const { id, connector, label, sandbox, callbacks } = summary
  const { credentials, isRemoved } = account
  return { id, connector, label, sandbox, callbacks, isRemoved, credentials: { ...credentials } }
}

test('adding, changing, checking and removing an account notifies all servers and is audited without credentials', async () => {
  const { db } = witness
  for (const [owner, number] of await owners()) {
    let id = ''
    const act = (action: string, is: object | null) => ({
      acts: [{ action, subject: id, actor: 'ada', before: null, after: is }],
      isTold: true,
    })
    const add = await witness.see(number, async () => {
      id = (await addAccount(db, testSecrets, owner, added, ada)) ?? assert.fail('there is one already')
    })
    assert.match(id, /^acc_[0-9A-Za-z]{16}$/)
    assert.deepEqual(add, act('account.added', { ...added, credentials: ['secret_key', 'webhook_secret'] }))
    assert.deepEqual(await newest(owner), { id, ...added, isRemoved: false })

    const again = await witness.see(number, async () => {
      assert.equal(await addAccount(db, testSecrets, owner, { ...changed, connector: 'stripe' }), undefined)
    })
    assert.deepEqual(again, nothing)
    assert.deepEqual(await newest(owner), { id, ...added, isRemoved: false })

    const change = await witness.see(number, async () =>
      changeAccount(db, testSecrets, { owner, id }, changed, ada),
    )
    assert.deepEqual(change, act('account.changed', { ...changed, credentials: ['secret_key'] }))
    const now = { id, connector: 'stripe', ...changed, isRemoved: false }
    assert.deepEqual(await newest(owner), now)

    const check = await witness.see(number, async () => recordChecked(db, { owner, id }, checked))
    assert.deepEqual(check, { acts: [], isTold: true }, 'nobody changed anything, and it is known')
    assert.deepEqual(await newest(owner), { ...now, ...checked })

    const removal = await witness.see(number, async () => removeAccount(db, { owner, id }, ada))
    assert.deepEqual(removal, act('account.removed', null))
    assert.deepEqual(await newest(owner), { ...now, ...checked, isRemoved: true })
  }
})

test('another owner’s or an unknown account is not found, and no server is notified', async () => {
  const { db } = witness
  const [[merchantId, number] = [0, 0]] = await owners()
  const id = (await addAccount(db, testSecrets, merchantId, added)) ?? assert.fail()
  const refused = { code: 'not_found', message: 'Account not found' }
  for (const owner of [10_000_000, 'installation'] as const) {
    const seen = await witness.see(owner === 'installation' ? 0 : owner, async () => {
      await assert.rejects(changeAccount(db, testSecrets, { owner, id }, changed), refused)
      await assert.rejects(recordChecked(db, { owner, id }, checked), refused)
      await assert.rejects(removeAccount(db, { owner, id }), refused)
    })
    assert.deepEqual(seen, nothing)
  }
  assert.deepEqual(await newest(number), { id, ...added, isRemoved: false })
})

test('an account’s label is cut after 200 characters, and defaults to its id', async () => {
  const { db } = witness
  const [[owner] = ['installation' as const]] = await owners()
  const id = (await addAccount(db, testSecrets, owner, { ...added, label: '' })) ?? assert.fail()
  const shown = async () => (await listAccounts(db, owner))[0]?.label
  assert.equal(await shown(), id)
  for (const [label, kept] of [
    ['x'.repeat(200), 'x'.repeat(200)],
    [`${'x'.repeat(200)}y`, 'x'.repeat(200)],
    ['', id],
  ] as const) {
    await recordChecked(db, { owner, id }, { ...checked, label })
    assert.equal(await shown(), kept)
  }
})
