import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesBy, lockedBefore, lockedRows, undone } from '../../../test/support/notification-changes.ts'
import {
  moment,
  neighbour,
  openNotificationRows,
  origins,
  own,
  plainSecret,
  receiver,
  secret,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { insertDeliveries, type Claim, type NewDelivery } from './store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const now = new Date(moment(0))
const paused = { paused_at: moment(-60) }

function newDelivery(id: string, changes: Partial<NewDelivery> = {}): NewDelivery {
  const origin = changes.origin ?? origins.one
  return {
    merchant_id: own,
    id,
    kind: 'ipn',
    mode: 'test',
    event: 'payment.success',
    number: null,
    target: `${origin}/ipn`,
    origin,
    body: '{}',
    state: 'waiting',
    ...changes,
  }
}

test('only a delivery to a paused receiver of its merchant, mode and origin starts paused', async () => {
  await rows.replace({
    receivers: [
      receiver(paused),
      receiver({ mode: 'live' }),
      receiver({ origin: origins.two, failing_since: moment(-60), last_failed_at: moment(-60) }),
      receiver({ merchant_id: neighbour, mode: 'live', ...paused }),
      receiver({ merchant_id: neighbour, origin: origins.two, ...paused }),
      receiver({ mode: 'live', origin: 'https://three.example', ...paused }),
    ],
  })
  const deliveries = [
    newDelivery('evt_same'),
    newDelivery('evt_live', { mode: 'live' }),
    newDelivery('evt_two', { origin: origins.two }),
    newDelivery('evt_three', { origin: 'https://three.example' }),
  ]
  await undone(rows.db, async (tx) => {
    const changes = await changesBy(tx, async () => insertDeliveries(tx, own, deliveries, now))
    const states = Object.entries(changes).map(([name, { state }]) => `${name} ${String(state)}`)
    assert.deepEqual(states.toSorted(), [
      'own evt_live waiting',
      'own evt_same paused',
      'own evt_three waiting',
      'own evt_two waiting',
    ])
    // Whoever resumes it has to wait for what was written meanwhile, and nobody else has to.
    assert.deepEqual(await lockedRows(rows.db), [`own test ${origins.one}`])
  })
})

test('paused receivers are locked in one order, so two inserts never deadlock', async () => {
  const all = [
    { mode: 'test', origin: origins.two },
    { mode: 'test', origin: origins.one },
    { mode: 'live', origin: origins.one },
  ] as const
  await rows.replace({ receivers: all.map((to) => receiver({ ...to, ...paused })) })
  const deliveries = all.map((to, index) => newDelivery(`evt_${index}`, to))
  const insert = async (tx: Transaction): Promise<unknown> => insertDeliveries(tx, own, deliveries, now)
  assert.deepEqual(await lockedBefore(rows.db, all[1], insert), [
    `own live ${origins.one}`,
    `own test ${origins.one}`,
  ])
})

test('another merchant’s delivery is not written', async () => {
  await rows.replace({})
  const foreign = [newDelivery('evt_own'), newDelivery('evt_foreign', { merchant_id: neighbour })]
  await undone(rows.db, async (tx) => {
    const changes = await changesBy(tx, async () =>
      assert.rejects(insertDeliveries(tx, own, foreign, now), /could not be written/),
    )
    assert.deepEqual(Object.keys(changes), ['own evt_own'])
  })
})

test('a delivery claimed on insert carries its merchant’s and mode’s valid secrets, newest first', async () => {
  await rows.replace({
    secrets: [
      secret({ id: '2', secret: plainSecret('b'), created_at: moment(-20), ends_at: moment(1) }),
      secret({ id: '1', secret: plainSecret('a'), created_at: moment(-10) }),
      secret({ id: '3', secret: plainSecret('c'), created_at: moment(-30), ends_at: moment(0) }),
      secret({ id: '4', secret: plainSecret('d'), mode: 'live' }),
      secret({ id: '1', secret: plainSecret('e'), merchant_id: neighbour }),
    ],
  })
  const [claimed, ...others] = await undone(rows.db, async (tx): Promise<Claim[]> => {
    const deliveries = [newDelivery('evt_claimed', { claimed: true }), newDelivery('evt_waiting')]
    return (await insertDeliveries(tx, own, deliveries, now)).claims
  })
  assert.deepEqual(others, [])
  assert.equal(claimed?.id, 'evt_claimed')
  assert.deepEqual(claimed.secrets, [plainSecret('a'), plainSecret('b')])
})
