import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTwoMerchants, type TwoMerchants } from '../../../test/support/rows.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Cell } from '../../platform/http/csv/csv-line.ts'
import type { People } from '../people/people.ts'
import { exportAudit } from './export.ts'

// An export of 10,000 entries once ended without a word about the rest.

const count = 10_001

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  for (const merchantId of [two.own, two.other])
    await two.db.query(sql`
      insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject)
      select ${merchantId}::integer, 'aud_' || lpad(n::text, 16, '0'), '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 second',
        'system', 'florin', 'key.created', 'key_' || n
      from generate_series(1, ${count}::integer) as n`)
})
after(() => two.close())

test('an export holds every entry of its merchant once, the newest first, also when there are more than 10,000', async () => {
  const filter = { action: 'key.', subject: undefined, since: undefined, until: undefined }
  const { header, pages } = exportAudit({ db: two.db } as People, two.own, filter)
  const rows: readonly (readonly Cell[])[] = (await Array.fromAsync(pages)).flat()
  const subject = header.indexOf('subject')
  const numbers = rows.map((row) => Number((row[subject] as string).replace('key_', '')))
  assert.equal(numbers.length, count)
  assert.equal(new Set(numbers).size, count)
  const at = header.indexOf('at')
  const times = rows.map((row) => (row[at] as { moment: string }).moment)
  assert.deepEqual(times, times.toSorted().toReversed())
})
