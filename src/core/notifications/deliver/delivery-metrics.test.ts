import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { Database, type Row } from '../../../platform/database/database.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import { makeLog } from '../../../platform/http/log.ts'
import { makeMetrics } from '../../../platform/http/metrics.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import type { Claim } from '../store.ts'
import { makeDeliveryMetrics } from './delivery-metrics.ts'

/** Can't be asked about one merchant. */
class PartlyAway extends Database {
  away: unknown
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    if (statement.values[0] === this.away) throw new Error('its node is away')
    return super.query<R>(statement)
  }
}

let rows: NotificationRows
let db: PartlyAway
before(async () => {
  rows = await openNotificationRows()
  db = new PartlyAway(rows.db.url)
})
after(async () => {
  await db.close()
  await rows.close()
})

/** Counters and gauges of deliveries, at noon and a minute. */
function open() {
  const [metrics, lines] = [makeMetrics(), [] as Row[]]
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Row) })
  const deliveries = makeDeliveryMetrics(metrics, db, log, () => new Date(moment(60)))
  const figures = async (): Promise<Record<string, number>> => {
    const found = (await metrics.print()).matchAll(/^(florin_deliver\S+) (\S+)$/gm)
    return Object.fromEntries([...found].map(([, name = '', value]) => [name, Number(value)]))
  }
  return { deliveries, figures, lines }
}

test('waiting and paused deliveries are counted over all merchants, with the age of the oldest', async () => {
  const waiting = (merchant_id: number, id: string, seconds: number) =>
    delivery({ merchant_id, id, next_try_at: moment(seconds) })
  await rows.replace({
    deliveries: [
      waiting(own, 'evt_a', 50),
      waiting(own, 'evt_b', 30),
      waiting(neighbour, 'evt_a', 45),
      delivery({ id: 'evt_c', state: 'paused' }),
      delivery({ id: 'evt_d', state: 'paused' }),
      delivery({ merchant_id: neighbour, id: 'evt_c', state: 'paused' }),
      delivery({ id: 'evt_e', state: 'delivered' }),
    ],
  })
  const { figures, lines } = open()
  const { florin_deliveries_waiting, florin_deliveries_paused, florin_deliveries_overdue_seconds } =
    await figures()
  assert.deepEqual(
    [florin_deliveries_waiting, florin_deliveries_paused, florin_deliveries_overdue_seconds],
    [3, 3, 30],
  )
  assert.deepEqual(lines, [])

  db.away = own
  const without = open()
  const rest = await without.figures()
  assert.deepEqual([rest['florin_deliveries_waiting'], rest['florin_deliveries_overdue_seconds']], [1, 15])
  assert.deepEqual(
    without.lines.map(({ level, merchant, msg }) => [level, merchant, msg]),
    [['warn', own, "Could not count a merchant's waiting deliveries"]],
  )
  db.away = undefined
})

test('attempts are counted by result, and delivery time is measured from the event', async () => {
  await rows.replace({})
  const { deliveries, figures } = open()
  const claim = (kind: 'ipn' | 'mail', seconds: number) => ({ kind, created_at: moment(seconds) }) as Claim
  const tried = (one: Claim, verdict: Outcome['verdict']): void =>
    deliveries.tried(one, { verdict } as Outcome)
  tried(claim('ipn', 50), 'delivered')
  tried(claim('ipn', 60.5), 'delivered')
  tried(claim('mail', 0), 'delivered')
  tried(claim('ipn', 0), 'failed')
  tried(claim('ipn', 0), 'gone')
  deliveries.gaveUp(2)
  deliveries.gaveUp(0)
  const found = await figures()
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(found).filter(
        ([name, value]) => value !== 0 && /tries_total|failed_total|seconds_(sum|count)/.test(name),
      ),
    ),
    {
      'florin_delivery_tries_total{kind="ipn",outcome="delivered"}': 2,
      'florin_delivery_tries_total{kind="mail",outcome="delivered"}': 1,
      'florin_delivery_tries_total{kind="ipn",outcome="failed"}': 1,
      'florin_delivery_tries_total{kind="ipn",outcome="gone"}': 1,
      florin_deliveries_failed_total: 2,
      // One came before its event, by a clock that runs ahead.
      'florin_delivery_seconds_sum{kind="ipn"}': 10,
      'florin_delivery_seconds_count{kind="ipn"}': 2,
      'florin_delivery_seconds_sum{kind="mail"}': 60,
      'florin_delivery_seconds_count{kind="mail"}': 1,
    },
  )
})
