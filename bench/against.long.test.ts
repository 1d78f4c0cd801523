import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { benchAgainst, comparable, type Comparison } from './against.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

test('another checkout is measured in turns with this one', { timeout: 1_200_000 }, async () => {
  const compared: Comparison[] = []
  const doing: string[] = []
  const pace = { rounds: 1, seconds: 0, lookUps: 200, say: (text: string) => void doing.push(text) }
  await benchAgainst(root, ['create'], { here: 1, other: 1 }, pace, (row) => void compared.push(row))
  assert.deepEqual(
    compared.map(({ work }) => work),
    ['create'],
  )
  // The others measure in the same way as the rows of run.long.test.ts.
  assert.deepEqual(comparable.toSorted(), ['create', 'lone', 'look-up', 'page', 'whole'])
  for (const { work, ratio, spread, cost, costSpread } of compared) {
    for (const text of [`${ratio} ${spread}`, `${cost} ${costSpread}`]) {
      assert.match(text, /^\d+\.\d\d × \d+\.\d\d–\d+\.\d\d$|^– –$/, work)
    }
  }
  assert.deepEqual(
    doing.filter((text) => text.includes('create')).map((text) => text.split('  ').at(-1)),
    ['making ready', 'this, warm-up', 'other, warm-up', 'this, run 1 of 1', 'other, run 1 of 1'],
  )
})
