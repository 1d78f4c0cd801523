import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptOnPage } from '../../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../../test/support/till.ts'
import { makeFindHosted } from './find-hosted.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('an id no database accepts fails alone, even in a batch', async () => {
  const attempt = await attemptOnPage(till)
  const { merchantId } = till
  const hosted = makeFindHosted(till.db)
  const payment = await till.read({ merchantId, number: attempt.number })
  const settled = async (names: readonly string[], find: (name: string) => Promise<unknown>) =>
    (await Promise.allSettled(names.map(async (name) => find(name)))).map((result) =>
      result.status === 'fulfilled' ? result.value : 'refused',
    )
  assert.deepEqual(
    await settled([attempt.idempotency_key, 'a\0', 'unheard'], async (key) =>
      hosted.findByKey(merchantId, key),
    ),
    [attempt, 'refused', undefined],
  )
  assert.deepEqual(
    await settled([attempt.number, 'a\0', 'unheard'], async (number) =>
      hosted.findStanding({ merchantId, number }),
    ),
    [{ payment, lastAttempt: attempt }, 'refused', undefined],
  )
})
