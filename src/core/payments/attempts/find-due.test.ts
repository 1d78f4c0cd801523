import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../../platform/database/database.ts'
import { makeLog } from '../../../platform/http/log.ts'
import { makeFindDue } from './find-due.ts'

const now = new Date('2026-11-16T12:00:00.000Z')

/** A look over all merchants that finds these, or fails. */
function lookingAt() {
  const looks: { finds: readonly number[] | undefined } = { finds: [] }
  const lines: string[] = []
  const db = {
    async look() {
      if (!looks.finds) throw new Error('its node is silent')
      return looks.finds.map((merchant_id) => ({ merchant_id }))
    },
  } as unknown as Database
  const due = makeFindDue(db, makeLog('info', { write: (line) => void lines.push(line) }))
  return { looks, due, lines }
}

test('while the search fails, merchants with recent work are visited by both jobs', async () => {
  const { looks, due, lines } = lookingAt()
  looks.finds = undefined
  await assert.rejects(due.withAttemptsToCheck(now, 1, 9), /its node is silent/)
  await assert.rejects(due.withPaymentsOutOfTime(now, 9), /its node is silent/)
  assert.deepEqual(lines, [], 'nobody is known yet')

  looks.finds = [3]
  assert.deepEqual(await due.withAttemptsToCheck(now, 1, 9), [3])
  looks.finds = [4]
  assert.deepEqual(await due.withPaymentsOutOfTime(now, 9), [4])
  looks.finds = undefined
  for (const find of [due.withPaymentsOutOfTime(now, 9), due.withAttemptsToCheck(now, 1, 9)])
    assert.deepEqual(
      (await find).toSorted((one, other) => one - other),
      [3, 4],
    )
  assert.equal((await due.withAttemptsToCheck(now, 1, 1)).length, 1, 'no more than were asked for')
  const sentence = 'Could not look for due work; checking merchants that had some recently'
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    [sentence, sentence, sentence],
  )
})
