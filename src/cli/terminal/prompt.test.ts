import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { Stopped } from './stopped.ts'
import { askHidden, canAsk, confirm, type Terminal } from './prompt.ts'

type Fake = { terminal: Terminal; raw: boolean[]; type: (keys: string) => void; shown: () => string }

/** A terminal that echoes nothing by itself, as a raw one. */
function fakeTerminal(isTTY = true): Fake {
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: (on: boolean) => raw.push(on) })
  const output = Object.assign(new PassThrough(), { isTTY })
  let shown = ''
  output.on('data', (part: Buffer) => (shown += part.toString()))
  return { terminal: { input, output }, raw, type: (keys) => input.write(keys), shown: () => shown }
}

test('a secret can be typed or pasted, corrected with backspace, and is never shown', async () => {
  const { terminal, raw, type, shown } = fakeTerminal()
  const answer = askHidden('Secret key: ', terminal)
  type('sk_tesX\u007ft_')
  type('abc\r')
  assert.equal(await answer, 'sk_test_abc')
  assert.equal(shown(), 'Secret key: \n')
  assert.deepEqual(raw, [true, false], 'the terminal is as it was')
})

test('several questions are answered one after the other', async () => {
  const { terminal, type } = fakeTerminal()
  for (const secret of ['first', 'second']) {
    const answer = askHidden('Secret: ', terminal)
    type(`${secret}\r`)
    assert.equal(await answer, secret)
  }
})

test('Ctrl-C at a question stops the command and restores the terminal', async () => {
  const { terminal, raw, type } = fakeTerminal()
  const answer = askHidden('Secret key: ', terminal)
  type('sk_\u0003')
  await assert.rejects(answer, (error) => error instanceof Stopped && error.exitCode === 130)
  assert.deepEqual(raw, [true, false])
})

test('only yes means yes', async () => {
  const answers = { 'y\n': true, 'YES\n': true, 'n\n': false, '\n': false, 'sure\n': false }
  for (const [keys, expected] of Object.entries(answers)) {
    const { terminal, type, shown } = fakeTerminal()
    const answer = confirm('Send 2 notifications again?', terminal)
    type(keys)
    assert.equal(await answer, expected, keys)
    assert.ok(shown().includes('Send 2 notifications again? [y/N] '))
  }
})

test('a question without an answer means no', async () => {
  const { terminal } = fakeTerminal()
  const answer = confirm('Resume 1 receiver?', terminal)
  ;(terminal.input as PassThrough).end()
  assert.equal(await answer, false)
})

test('questions are asked only at a terminal', () => {
  assert.deepEqual([canAsk(fakeTerminal().terminal), canAsk(fakeTerminal(false).terminal)], [true, false])
})
