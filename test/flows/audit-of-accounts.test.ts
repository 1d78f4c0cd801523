import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addAccount,
  changeAccount,
  recordChecked,
  removeAccount,
} from '../../src/core/merchants/accounts/change-accounts.ts'
import type { Owner } from '../../src/core/merchants/accounts/stored-accounts.ts'
import { listAudit } from '../../src/core/audit/list-audit.ts'
import { openHouse, type House } from '../support/house.ts'

const all = { since: undefined, until: undefined, action: undefined, subject: undefined, limit: 1_000 }
// Assembled here, so that no scanner of the repository takes it for a real one.
const networkKey = `sk_live_${'A1b2C3d4'.repeat(3)}`
const by = { kind: 'command_line', name: 'ada@till' } as const

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

test('adding, changing and removing network accounts is audited with the actor and without credentials', async () => {
  const credentials = { secret_key: networkKey }
  const account = { credentials, label: 'Shop (acct_1)', sandbox: false, callbacks: 'missing' } as const
  for (const [owner, number] of [
    ['installation', 0],
    [house.merchantId, house.merchantId],
  ] satisfies [Owner, number][]) {
    const id = await addAccount(house.db, house.secrets, owner, { connector: 'stripe', ...account }, by)
    const key = { owner, id: id ?? '' }
    await changeAccount(house.db, house.secrets, key, account, by)
    await recordChecked(house.db, key, { ...account, callbacks: 'set_up' })
    await removeAccount(house.db, key, by)
    await assert.rejects(removeAccount(house.db, key, by), /Account not found/)
    const found = (await listAudit(house.db, number, all)).filter(({ subject }) => subject === id)
    assert.deepEqual(found.map(({ action, actor }) => [action, actor]).toReversed(), [
      ['account.added', 'ada@till'],
      ['account.changed', 'ada@till'],
      ['account.removed', 'ada@till'],
    ])
    assert.ok(JSON.stringify(found).includes('secret_key'), 'the names of credentials are told')
    assert.ok(!JSON.stringify(found).includes(networkKey))
  }
})
