import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy } from '../../../../test/support/notification-changes.ts'
import {
  moment,
  neighbour,
  openNotificationRows,
  own,
  plainSecret,
  secret,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import {
  endSecret,
  insertSecret,
  listAllSecrets,
  listSecrets,
  replaceSecret,
  type AnySecretRow,
} from './secret-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const of = { merchantId: own, mode: 'test' } as const
const now = new Date(moment(0))
const sealed = Buffer.from('sealed')

test('valid secrets are a merchant’s unexpired ones in that mode, newest first', async () => {
  await rows.replace({
    secrets: [
      secret({ id: 'older', created_at: moment(-20), ends_at: moment(1) }),
      secret({ id: 'current', created_at: moment(-10), sealed }),
      secret({ id: 'ended', created_at: moment(-30), ends_at: moment(0) }),
      secret({ id: 'live', mode: 'live' }),
      secret({ id: 'neighbour', merchant_id: neighbour }),
    ],
  })
  assert.deepEqual(await listSecrets(rows.db, of, now), [
    {
      id: 'current',
      stored: `current ${sealed.toString('hex')}`,
      created_at: moment(-10),
      ends_at: null,
    },
    { id: 'older', stored: plainSecret('a'), created_at: moment(-20), ends_at: moment(1) },
  ])
})

test('a secret is created when none is current, whatever expired or others have', async () => {
  const insert = async (): Promise<boolean> => insertSecret(rows.db, of, { id: 'new', sealed })
  const others = [
    secret({ id: 'ended', ends_at: moment(100) }),
    secret({ id: 'live', mode: 'live' }),
    secret({ id: 'neighbour', merchant_id: neighbour }),
  ]
  await rows.replace({ secrets: others })
  assert.equal(await insert(), true)
  await rows.replace({ secrets: [...others, secret({ id: 'current' })] })
  assert.equal(await insert(), false)
})

test('only the current secret is ended, by its id if given, and all others keep their end', async () => {
  const changesFor = async (id?: string): Promise<unknown> => {
    await rows.replace({
      secrets: [
        secret({ id: 'current' }),
        secret({ id: 'ended', ends_at: moment(100) }),
        secret({ id: 'current', mode: 'live' }),
        secret({ id: 'current', merchant_id: neighbour }),
      ],
    })
    return changesBy(rows.db, async () =>
      inTransaction(rows.db, async (tx) => endSecret(tx, of, new Date(moment(5)), id)),
    )
  }
  const ended = { 'own test current': { ends_at: moment(5) } }
  assert.deepEqual(await changesFor(), ended)
  assert.deepEqual(await changesFor('current'), ended)
  assert.deepEqual(await changesFor('ended'), {})
})

test('all secrets of a merchant are listed, even expired ones, by mode and id', async () => {
  const all = [
    secret({ id: 'b', mode: 'live', ends_at: moment(-5) }),
    secret({ id: 'a', ends_at: moment(-5) }),
    secret({ id: 'c', sealed }),
  ]
  await rows.replace({ secrets: [...all.toReversed(), secret({ id: 'b', merchant_id: neighbour })] })
  assert.deepEqual(
    await listAllSecrets(rows.db, own),
    all.map(({ mode, id, secret: plain, sealed: closed }) => ({ mode, id, secret: plain, sealed: closed })),
  )
})

test('one secret is resealed only if it is unchanged since it was read', async () => {
  const plain: AnySecretRow = { mode: 'test', id: 'one', secret: plainSecret('a'), sealed: null }
  const closed: AnySecretRow = { mode: 'test', id: 'one', secret: null, sealed }
  const anew = Buffer.from('sealed anew')
  const changesFrom = async (is: AnySecretRow, wasRead: AnySecretRow): Promise<unknown> => {
    await rows.replace({
      secrets: [
        secret({ ...is }),
        secret({ ...is, id: 'two', ends_at: moment(-5) }),
        secret({ ...is, mode: 'live' }),
        secret({ ...is, merchant_id: neighbour }),
      ],
    })
    let replaced: boolean | undefined
    const changes = await changesBy(rows.db, async () => {
      replaced = await replaceSecret(rows.db, own, wasRead, anew)
    })
    return { replaced, changes }
  }
  const name = 'own test one'
  assert.deepEqual(await changesFrom(plain, plain), {
    replaced: true,
    changes: { [name]: { sealed: anew, secret: null } },
  })
  assert.deepEqual(await changesFrom(closed, closed), {
    replaced: true,
    changes: { [name]: { sealed: anew } },
  })
  const unchanged = { replaced: false, changes: {} }
  assert.deepEqual(await changesFrom(closed, { ...closed, sealed: Buffer.from('before') }), unchanged)
  assert.deepEqual(await changesFrom(plain, { ...plain, secret: plainSecret('b') }), unchanged)
})
