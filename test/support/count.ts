import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** The run's totals as JSON, for the closing line of all.js. */
export default async function* count(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let empty = 0
  const told = new Set<string>()
  for await (const event of source) {
    if (isEmptyFile(event)) empty += 1
    if (event.type !== 'test:summary') continue
    if (event.data.file) {
      told.add(event.data.file)
      continue
    }
    const { counts } = event.data
    yield JSON.stringify({
      passed: counts.passed - empty,
      failed: failuresOf(counts) + empty,
      files: told.size,
    })
  }
}

/** Node lets a file without tests pass as one test, named after the file. */
export function isEmptyFile(event: TestEvent): boolean {
  return (
    event.type === 'test:pass' && event.data.nesting === 0 && resolve(event.data.name) === event.data.file
  )
}

export type Counts = Extract<TestEvent, { type: 'test:summary' }>['data']['counts']

/** Node counts `failed` too, which its types leave out; a test that ran out of time is `cancelled`. */
export function failuresOf(counts: Counts): number {
  return (counts as Counts & { failed: number }).failed + counts.cancelled
}
