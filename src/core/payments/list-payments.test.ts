import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, openTwoMerchants, paymentNumber, paymentRow } from '../../../test/support/rows.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { Query } from '../../platform/input/fields.ts'
import { makeCursor } from '../../platform/input/cursor.ts'
import { limits } from './limits.ts'
import { listTransactions, readFilter } from './list-payments.ts'

// Four live payments of one merchant, the greater the number the newer; the last two are of one moment.

let merchants: Awaited<ReturnType<typeof openTwoMerchants>>
const projects = { own: 'prj_AAAAAAAAAAAAAAAA', other: 'prj_BBBBBBBBBBBBBBBB' }
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  await insertRows(db, 'projects', [
    { merchant_id: own, id: projects.own, name: 'Garden', name_folded: 'garden' },
    { merchant_id: other, id: projects.other, name: 'Garden', name_folded: 'garden' },
  ])
  await insertRows(
    db,
    'payments',
    [1, 2, 3, 4].map((place) =>
      paymentRow({
        merchant_id: own,
        number: paymentNumber(place),
        mode: 'live',
        project_id: place === 2 ? projects.own : null,
        created_at: new Date(Date.UTC(2026, 0, Math.min(place, 3))),
      }),
    ),
  )
})
after(() => merchants.close())

const scope = () => ({ merchantId: merchants.own, mode: 'live' as const })

async function page(query: object) {
  const { payments, ...rest } = await listTransactions(merchants.db, scope(), query)
  return { places: payments.map(({ number }) => Number(number)), ...rest }
}

test('pages follow without a gap, and the last one says so', async () => {
  const at = (day: number): string => `2026-01-0${day}T00:00:00.000000Z`
  const behind = (day: number, place: number): string =>
    makeCursor({ at: at(day), name: paymentNumber(place) })
  const none = new Map<string, string>()
  const garden = new Map([[projects.own, 'Garden']])
  const first = { places: [4], projectNames: none, limit: 1, nextCursor: behind(3, 4) }
  assert.deepEqual(await page({ limit: '1' }), first)
  assert.deepEqual(await page({ limit: '1', cursor: behind(3, 4) }), {
    ...first,
    places: [3],
    nextCursor: behind(3, 3),
  })
  const rest = { places: [2, 1], projectNames: garden, nextCursor: null }
  assert.deepEqual(await page({ limit: '2', cursor: behind(3, 3) }), { ...rest, limit: 2 })
  assert.deepEqual(await page({ cursor: behind(3, 3) }), { ...rest, limit: 25 })
  const all = { places: [4, 3, 2, 1], projectNames: garden, nextCursor: null }
  assert.deepEqual(await page({ limit: '4' }), { ...all, limit: 4 })
  assert.deepEqual(await page({ cursor: behind(1, 1) }), {
    places: [],
    projectNames: none,
    limit: 25,
    nextCursor: null,
  })
})

test('every filter is read as intended', async () => {
  const nothing = {
    ...scope(),
    txRef: undefined,
    state: undefined,
    currency: undefined,
    email: undefined,
    createdFrom: undefined,
    createdTo: undefined,
  }
  const longest = { txRef: 'x'.repeat(limits.txRef), email: `${'a'.repeat(limits.email - 12)}@example.com` }
  const read: readonly (readonly [query: object, filter: object])[] = [
    [{}, {}],
    [{ tx_ref: longest.txRef }, { txRef: longest.txRef }],
    [{ status: 'success' }, { state: 'success' }],
    [{ currency: 'gBp' }, { currency: 'GBP' }],
    [{ email: longest.email }, { email: longest.email }],
    [{ email: 'a@b' }, { email: 'a@b' }],
    [{ created_from: '2026-01-01' }, { createdFrom: '2026-01-01' }],
    [{ created_to: '2026-01-02' }, { createdTo: '2026-01-02' }],
    [{ project: 'Garden' }, { projectId: projects.own }],
    [{ project: projects.own }, { projectId: projects.own }],
  ]
  for (const [query, filter] of read)
    assert.deepEqual(await readFilter(merchants.db, scope(), new Query(query)), { ...nothing, ...filter })
})

test('an impossible filter is refused by its rule', async () => {
  const tooLong = (max: number): string => `must be at most ${max.toLocaleString('en')} characters`
  const status = 'must be one of pending, success, failed, cancelled, expired, refunded, reversed'
  const refused: readonly (readonly [field: string, values: readonly unknown[], rule: string])[] = [
    ['tx_ref', ['x'.repeat(limits.txRef + 1)], tooLong(limits.txRef)],
    ['status', ['paid', 'Success', 'toString'], status],
    ['currency', ['GB', 'GBPX', 'G8P', '£££', 'xGBP'], 'must be three letters, such as GBP'],
    ['currency', [['GBP', 'EUR']], 'must be sent only once'],
    ['email', ['ada', 'ada@', '@example.com', 'a b@c', 'a@b@c', 'a@b c'], 'must be one valid e-mail address'],
    ['email', [`${'a'.repeat(limits.email - 11)}@example.com`], tooLong(limits.email)],
    ['project', ['Gardens', projects.other], 'must be one of your projects'],
    ['project', ['x'.repeat(256)], tooLong(255)],
    [
      'cursor',
      ['x', makeCursor({ at: '2026-01-01T00:00:00.000000Z', name: 'x' })],
      'must be the next_cursor of an earlier page',
    ],
    [
      'cursor',
      [makeCursor({ at: '2026-01-01T00:00:00.000000Z', name: '1'.repeat(25) })],
      'must be the next_cursor of an earlier page',
    ],
  ]
  for (const [field, values, rule] of refused)
    for (const value of values)
      await assert.rejects(
        page({ [field]: value }),
        (error) => error instanceof Refusal && error.message === `${field} ${rule}`,
        `${field} ${JSON.stringify(value)}`,
      )
})
