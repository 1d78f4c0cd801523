import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLog } from '../http/log.ts'
import { makeRecentMerchants } from './lately.ts'
import { findOrRemember, visitDue, visitEach, type DueVisits } from './visit-due.ts'

/** Merchants with so many due rows each; a negative number: the merchant can't be read. */
function openRound(due: Record<number, number>, changes: Partial<DueVisits<string>> = {}) {
  const lines: string[] = []
  const worked: string[] = []
  const round: DueVisits<string> = {
    log: makeLog('info', { write: (line) => void lines.push(line) }),
    what: 'refunds',
    max: 4,
    look: async () => Object.keys(due).map(Number),
    async claim(merchantId, max) {
      const count = due[merchantId] ?? 0
      if (count < 0) throw new Error('its node is away')
      return Array.from({ length: Math.min(max, count) }, (_, index) => `${merchantId}.${index}`)
    },
    work: async (row) => void worked.push(row),
    keyOf: (row) => ({ row }),
    failed: 'A refund could not be checked',
    ...changes,
  }
  const told = () =>
    lines.map((line) => JSON.parse(line) as { msg: string; row?: string; merchantId?: number })
  return { round, worked, told }
}

test('a round’s rows are shared among merchants', async () => {
  const { round, worked } = openRound({ 1: 100, 2: 1 })
  assert.equal(await visitDue(round), 3)
  assert.deepEqual(worked, ['1.0', '1.1', '2.0'])
})

test('a round without merchants does nothing', async () => {
  assert.equal(await visitDue(openRound({}).round), 0)
})

test('a merchant whose rows can’t be claimed is logged and doesn’t hold up others', async () => {
  const { round, worked, told } = openRound({ 1: -1, 2: 1 })
  assert.equal(await visitDue(round), 1)
  assert.deepEqual(worked, ['2.0'])
  assert.deepEqual(
    told().map(({ msg, merchantId }) => [msg, merchantId]),
    [["Could not claim a merchant's refunds", 1]],
  )
})

test('a failed row is logged by its key, and the others continue', async () => {
  const worked: string[] = []
  const { round, told } = openRound(
    { 1: 3 },
    {
      async work(row) {
        if (row === '1.1') throw new Error('no such payment')
        worked.push(row)
      },
    },
  )
  assert.equal(await visitDue(round), 3)
  assert.deepEqual(worked, ['1.0', '1.2'])
  assert.deepEqual(
    told().map(({ msg, row }) => [msg, row]),
    [['A refund could not be checked', '1.1']],
  )
})

test('a round ends after its patience while its work continues', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise, resolve } = Promise.withResolvers<void>()
  const { round } = openRound({ 1: 1 }, { work: async () => promise, patienceMs: 2_000 })
  let isOver = false
  const ended = visitDue(round).then(() => (isOver = true))
  await new Promise(setImmediate)
  t.mock.timers.tick(1_999)
  await new Promise(setImmediate)
  assert.equal(isOver, false)
  t.mock.timers.tick(1)
  await ended
  resolve()
})

test('without patience a round waits for all of its work', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { round } = openRound({ 1: 1 }, { work: async () => promise })
  let isOver = false
  const ended = visitDue(round).then(() => (isOver = true))
  await new Promise(setImmediate)
  assert.equal(isOver, false)
  resolve()
  await ended
})

test('merchants are visited in turn, and a failing one doesn’t hold up others', async () => {
  const { round, told } = openRound({ 1: 0, 2: 0, 3: 0 })
  const visited: number[] = []
  const visit = async (merchantId: number): Promise<number> => {
    visited.push(merchantId)
    if (merchantId === 2) throw new Error('its node is away')
    return merchantId
  }
  assert.equal(await visitEach({ ...round, visit, failed: 'Payments could not be expired' }), 4)
  assert.deepEqual(visited, [1, 2, 3])
  assert.deepEqual(
    told().map(({ msg, merchantId }) => [msg, merchantId]),
    [['Payments could not be expired', 2]],
  )
})

test('while the search fails, recent merchants are visited, up to a round’s size', async () => {
  const { round, told } = openRound({})
  const lately = makeRecentMerchants()
  const looking = { ...round, lately, look: async () => Promise.reject(new Error('a node is away')) }
  await assert.rejects(findOrRemember(looking), /a node is away/, 'none is remembered yet')
  assert.deepEqual(await findOrRemember({ ...looking, look: async () => [7, 3] }), [7, 3])
  assert.deepEqual(await findOrRemember(looking), [7, 3])
  assert.deepEqual(await findOrRemember({ ...looking, max: 1 }), [7])
  assert.deepEqual(
    told().map(({ msg }) => msg),
    [1, 2].map(() => 'Could not look for refunds; checking merchants that had some recently'),
  )
  await assert.rejects(findOrRemember({ ...looking, isHopeless: () => true }), /a node is away/)
  await assert.rejects(findOrRemember({ ...looking, lately: undefined }), /a node is away/)
})
