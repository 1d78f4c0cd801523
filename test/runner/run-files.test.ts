import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { hasOwnProcess } from './choose-files.ts'
import { runFiles, type RunOptions } from './run-files.ts'
import type { Ended } from './worker-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-runner-'))
after(() => rmSync(folder, { recursive: true }))

const opening = `import { test, before, after } from 'node:test'\n`

function write(name: string, text: string): string {
  const file = join(folder, `${name}.test.ts`)
  writeFileSync(file, text.startsWith('//') ? text : opening + text)
  return file
}

async function run(files: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended[]> {
  return runFiles(files, { workers: 1, ...options, limits: { leftoverWaitMs: 200, ...options.limits } })
}

function failuresOf(ended: readonly Ended[]): string[] {
  return ended.flatMap(({ file, failures }) =>
    failures.map(({ title, error }) => `${basename(file)} | ${title} | ${error.split('\n')[0]}`),
  )
}

const good = write('good', `test('passes', () => {})`)

test('files share a process, and one file’s hooks never run for another', async () => {
  const first = write(
    'first',
    `globalThis.calls = []
    before(() => globalThis.calls.push('before'))
    after(() => globalThis.calls.push('after'))
    test('a', (t) => t.test('nested', () => {}))
    test('b', (t) => t.skip())`,
  )
  const second = write(
    'second',
    `import assert from 'node:assert'
    test('c', (t) => {
      assert.deepEqual(globalThis.calls, ['before', 'after'])
      t.diagnostic('note: no ruby here')
    })`,
  )
  const ended = await run([first, second])
  assert.deepEqual(failuresOf(ended), [])
  assert.deepEqual(
    ended.map(({ passed, skipped, notes }) => ({ passed, skipped, notes })),
    [
      { passed: 2, skipped: 1, notes: [] },
      { passed: 1, skipped: 0, notes: ['no ruby here'] },
    ],
  )
})

test('a failing test is reported with its path, its error and the file’s output', async () => {
  const bad = write(
    'bad',
    `import { suite } from 'node:test'
    console.log('a printed line')
    suite('outer', () => { test('inner', () => { throw new Error('wrong') }) })`,
  )
  const ended = await run([bad, good])
  assert.deepEqual(failuresOf(ended), ['bad.test.ts | outer › inner | Error: wrong'])
  assert.match(ended[0]?.printed ?? '', /a printed line/)
})

test('a worker that stops at the first failure runs no further test', async () => {
  const bad = write(
    'bad-first',
    `test('fails', () => { throw new Error('wrong') })
    test('never ends', () => new Promise((resolve) => setTimeout(resolve, 60_000)))`,
  )
  const ended = await run([bad, good], { stopsAtFailure: true })
  assert.deepEqual(failuresOf(ended), ['bad-first.test.ts | fails | Error: wrong'])
  assert.deepEqual(
    ended.map(({ passed }) => passed),
    [0, 1],
    'the next file has a new worker',
  )
})

// Each of these would pass unnoticed: nothing in the file says that it failed.
const silentFailures: Readonly<Record<string, readonly [text: string, failure: RegExp]>> = {
  'a file without tests': [``, /The file has no test/],
  'a file that fails to import': [`import './missing.ts'`, /Cannot find module/],
  'a file that ends the process': [
    `test('leaves', () => process.exit(0))`,
    /leaves \| The process ended \(code 0\)/,
  ],
  'a file whose process is killed': [
    `test('dies', () => process.kill(process.pid, 'SIGKILL'))`,
    /dies \| The process ended \(SIGKILL\)/,
  ],
  'a hook that fails': [`before(() => { throw new Error('no') })\ntest('x', () => {})`, /Error: no/],
  'a timer left running': [`test('x', () => { setInterval(() => {}, 1e9) })`, /Left behind: 1 timer/],
  'a server left open': [
    `import { createServer } from 'node:net'
    test('x', (_, done) => { createServer().listen(0, '127.0.0.1', done) })`,
    /Left behind: a handle is still open: server on .*127\.0\.0\.1/,
  ],
  'a process left running': [
    `import { spawn } from 'node:child_process'
    test('x', () => { spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']) })`,
    /Left behind: a handle is still open: process \d+/,
  ],
  'a listener left on the process': [
    `test('x', () => { process.on('SIGUSR2', () => {}) })`,
    /process.on\('SIGUSR2'\)/,
  ],
  'a changed environment': [
    `test('x', () => { process.env.FLORIN_X = '1' })`,
    /process.env.FLORIN_X was changed/,
  ],
  'a changed working folder': [`test('x', () => process.chdir('/'))`, /the working folder is now \//],
  'a replaced global': [
    `test('x', () => { globalThis.fetch = async () => {} })`,
    /the global fetch was replaced/,
  ],
  'an error after its test has ended': [
    `let fail = () => {}
    test('starts', () => { setImmediate(() => fail()); fail = () => { throw new Error('too late') } })
    test('waits', (_, done) => { process.once('uncaughtException', () => done()) })`,
    /An error came after its test had ended: Error: too late/,
  ],
}

for (const [name, [text, failure]] of Object.entries(silentFailures)) {
  test(`${name} fails the run, and the next file still runs`, async () => {
    const file = write(name.replaceAll(' ', '-'), text)
    const ended = await run([file, good])
    assert.match(failuresOf(ended).join('\n'), failure)
    assert.deepEqual(ended.find((one) => one.file === good)?.failures, [])
    assert.equal(ended.find((one) => one.file === good)?.passed, 1)
  })
}

const hangs = write('hangs', `test('hangs', async () => new Promise((r) => setTimeout(r, 1e9)))`)

test('a file silent for too long is stopped, and so is the next one', async () => {
  const ended = await run([hangs, write('hangs-too', `await new Promise(() => {})`)], {
    limits: { silenceMs: 1 },
  })
  assert.equal(ended.length, 2)
  for (const failure of failuresOf(ended))
    assert.match(failure, /Nothing happened for 0\.001 s, so it was stopped/)
})

const whoRuns = `import { appendFileSync } from 'node:fs'
  test('notes its process', () => appendFileSync(process.env.FLORIN_RUNNER_NOTES, process.pid + ' '))`

async function processesOf(files: readonly string[], options: Partial<RunOptions> = {}): Promise<string[]> {
  const notes = join(folder, `notes-${files.map((file) => basename(file)).join('-')}`)
  const ended = await run(files, { ...options, environment: { FLORIN_RUNNER_NOTES: notes } })
  assert.deepEqual(failuresOf(ended), [])
  return readFileSync(notes, 'utf8').trim().split(' ')
}

test('a file that gives a reason gets its own process, and the others continue in theirs', async () => {
  const [one, other] = [write('one', whoRuns), write('other', whoRuns)]
  const own = write('own', `// Own process: replaces a global.\n${opening}${whoRuns}`)
  const pids = await processesOf([one, own, other], { hasOwnProcess })
  assert.equal(pids[0], pids[2])
  assert.notEqual(pids[0], pids[1])
})

test('a worker that uses too much memory is replaced', async () => {
  const files = [write('small', whoRuns), write('smaller', whoRuns)]
  const [first, second] = await processesOf(files, { limits: { memoryBytes: 1 } })
  assert.notEqual(first, second)
})

test('workers take files in the given order, as many at once as there are workers', async () => {
  const started: string[] = []
  const files = ['p', 'q', 'r'].map((name) => write(name, `test('x', () => {})`))
  await run(files, { workers: 2, onStart: (file) => void started.push(file) })
  assert.deepEqual(started, files)
})

test('stopping kills the workers and starts no other file', async () => {
  const stopping = new AbortController()
  const ended = await run([hangs, good], {
    stopping: stopping.signal,
    onStart: () => setImmediate(() => stopping.abort()),
  })
  assert.deepEqual(failuresOf(ended), ['hangs.test.ts |  | The process ended (SIGKILL) before the file did.'])
})

test('files that may not start are left out', async () => {
  const other = write('other', `test('passes too', () => {})`)
  const ended = await run([good, other], { mayStart: (file) => file !== good })
  assert.deepEqual(
    ended.map(({ file }) => file),
    [other],
  )
})
