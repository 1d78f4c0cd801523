import { Transform } from 'node:stream'
import { inspect } from 'node:util'
import type { TestEvent } from 'node:test/reporters'

// The reporter of a worker: node:test sends it every event, and it adds up one result per file. The worker imports the
// same module and waits here for the file it has started.

export type Failure = { readonly title: string; readonly error: string }

export type FileResult = {
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
  /** What a test couldn't check on this machine: `context.diagnostic('note: …')`. */
  readonly notes: readonly string[]
}

type Listener = {
  /** A test starts. */
  onTest(name: string): void
  onFailure(failure: Failure): void
  onFile(result: FileResult): void
}

const notePrefix = 'note: '
let listener: Listener | undefined

export function listenForFiles(to: Listener): void {
  listener = to
}

const names: string[] = []
let counted = emptyCount()

/** Not a generator: nothing is printed here, the parent process prints. */
export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    count(event)
    done()
  },
})

function emptyCount() {
  return { passed: 0, skipped: 0, failures: [] as Failure[], notes: [] as string[] }
}

function count(event: TestEvent): void {
  if (event.type === 'test:dequeue' && event.data.nesting > 0) listener?.onTest(event.data.name)
  else if (event.type === 'test:start') {
    names.length = event.data.nesting
    names.push(event.data.name)
  } else if (event.type === 'test:diagnostic') {
    const { message } = event.data
    if (message.startsWith(notePrefix)) counted.notes.push(message.slice(notePrefix.length))
  } else if (event.type === 'test:pass' || event.type === 'test:fail') {
    countResult(event)
    if (event.data.nesting === 0) endFile()
  }
}

function countResult({ type, data }: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>): void {
  const isTest = data.details.type !== 'suite'
  if (isTest && data.skip !== undefined) counted.skipped += 1
  else if (type === 'test:pass') counted.passed += isTest ? 1 : 0
  else if (!isParentOfFailure(data.details.error)) {
    const title = [...names.slice(1, data.nesting), ...(data.nesting > 0 ? [data.name] : [])].join(' › ')
    const failure = { title, error: describe(data.details.error) }
    counted.failures.push(failure)
    listener?.onFailure(failure)
  }
}

function isParentOfFailure(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

function describe(error: Error): string {
  const cause: unknown = error.cause ?? error
  return cause instanceof Error ? inspect(cause, { depth: 4 }) : String(cause)
}

function endFile(): void {
  const { passed, skipped, failures } = counted
  if (passed + skipped + failures.length === 0)
    failures.push({ title: '', error: 'The file has no test. Every test file must test something.' })
  const result = counted
  counted = emptyCount()
  listener?.onFile(result)
}
