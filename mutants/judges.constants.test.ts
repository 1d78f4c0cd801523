import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgesOf } from './judges.ts'
import { hashOf, type TestRun } from './touched.ts'

test('a test that imports a file judges its constants, also when it calls none of its functions', () => {
  const path = 'src/dashboard/installation/handlers.ts'
  const spans = [
    { from: 0, to: 100, ran: true },
    { from: 20, to: 30, ran: true },
  ]
  const runs: TestRun[] = [
    {
      file: 'test/flows/story.test.ts',
      hash: '',
      ms: 50,
      touched: { [path]: { hash: hashOf(path), spans } },
    },
    { file: 'src/app/dashboard-table.test.ts', hash: '', ms: 5, touched: {} },
    { file: 'src/platform/money/money.test.ts', hash: '', ms: 5, touched: {} },
  ]
  const judges = (at: number): string[] => judgesOf(runs, path, at).map(({ file }) => file)
  assert.deepEqual(judges(5), ['src/app/dashboard-table.test.ts', 'test/flows/story.test.ts'])
  assert.deepEqual(judges(25), ['test/flows/story.test.ts'], 'a function is judged by who calls it')
})
