import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hint } from '../networks/hosted.ts'
import type { StoredAccount } from '../merchants/accounts/stored-accounts.ts'
import { nobody, type ReceivedEvent } from './event-store.ts'
import { storeHints } from './receive.ts'

const now = new Date('2026-11-16T12:00:00.000Z')

/** Stores for whoever is not away, of which all is new or nothing. */
function keeping({ away = [], isNew = true }: { away?: readonly number[]; isNew?: boolean } = {}) {
  const kept = { stored: [] as (readonly [number, readonly ReceivedEvent[]])[], wakes: 0 }
  return {
    kept,
    keeping: {
      async store(merchantId: number, events: readonly ReceivedEvent[]) {
        if (away.includes(merchantId)) throw new Error('its node is silent')
        kept.stored.push([merchantId, events])
        return isNew ? events.length : 0
      },
      wakeWorkers: () => void (kept.wakes += 1),
    },
  }
}

function signed(owner: StoredAccount['owner'], ...hints: Partial<Hint>[]) {
  const account = { id: 'acc_1', connector: 'fake', owner } as StoredAccount
  return { account, hints: hints.map((hint): Hint => ({ eventId: 'evt', about: 'order', ...hint })) }
}

const owners: readonly (readonly [merchantId: number | undefined, owner: number])[] = [
  [9_999_999, nobody],
  [10_000_000, 10_000_000],
  [99_999_999, 99_999_999],
  [100_000_000, nobody],
  [10_000_000.5, nobody],
  [undefined, nobody],
]

for (const [merchantId, owner] of owners) {
  test(`an event of the installation’s account that names merchant ${merchantId} is kept for ${owner}`, async () => {
    const { kept, keeping: to } = keeping()
    await storeHints(to, signed('installation', { ...(merchantId !== undefined && { merchantId }) }), now)
    assert.deepEqual(
      kept.stored.map(([whose]) => whose),
      [owner],
    )
  })
}

test('an event of a merchant’s own account belongs to that merchant, whichever merchant it names', async () => {
  const { kept, keeping: to } = keeping()
  await storeHints(to, signed(20_000_000, { merchantId: 30_000_000 }), now)
  assert.deepEqual(
    kept.stored.map(([whose]) => whose),
    [20_000_000],
  )
})

test('a callback with new events wakes the workers once; a repeated one doesn’t', async () => {
  const hints = [{ merchantId: 10_000_001 }, { merchantId: 10_000_002 }]
  const fresh = keeping()
  assert.equal(await storeHints(fresh.keeping, signed('installation', ...hints), now), 2)
  assert.equal(fresh.kept.wakes, 1)
  const repeated = keeping({ isNew: false })
  assert.equal(await storeHints(repeated.keeping, signed('installation', ...hints), now), 0)
  assert.equal(repeated.kept.wakes, 0)
})

test('when one merchant’s database is down the callback fails, after storing the others’ events and waking workers', async () => {
  const { kept, keeping: to } = keeping({ away: [10_000_001] })
  const hints = [{ merchantId: 10_000_001 }, { merchantId: 10_000_002 }]
  await assert.rejects(storeHints(to, signed('installation', ...hints), now), /its node is silent/)
  assert.deepEqual(
    kept.stored.map(([whose]) => whose),
    [10_000_002],
  )
  assert.equal(kept.wakes, 1)
})

test('an implausible id is hashed or left out, up to its 255th character', async () => {
  const { kept, keeping: to } = keeping()
  const [fits, long] = ['x'.repeat(255), 'x'.repeat(256)]
  await storeHints(
    to,
    signed(
      20_000_000,
      { eventId: fits, reference: fits },
      { eventId: long, reference: long, paymentNumber: 'tab\t', idempotencyKey: '' },
    ),
    now,
  )
  const [plain, odd] = kept.stored[0]?.[1] ?? []
  assert.deepEqual([plain?.event_id, plain?.reference], [fits, fits])
  assert.match(odd?.event_id ?? '', /^sha256:[0-9a-f]{64}$/)
  assert.deepEqual([odd?.reference, odd?.number, odd?.idempotency_key], [null, null, null])
})
