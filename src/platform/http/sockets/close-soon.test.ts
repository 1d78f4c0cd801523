import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { closeSoon, closingGraceMs } from './close-soon.ts'

class Connection extends EventEmitter {
  destroyed = false
  readonly happened: string[] = []
  end(text: string): void {
    this.happened.push(`said ${text}`)
  }
  destroy(): void {
    this.happened.push('cut')
  }
}

test('the last message is sent, and a client that doesn’t close is cut off after its grace period', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const socket = new Connection()
  closeSoon(socket, 'bye')
  assert.deepEqual(socket.happened, ['said bye'])
  t.mock.timers.tick(closingGraceMs - 1)
  assert.deepEqual(socket.happened, ['said bye'])
  t.mock.timers.tick(1)
  assert.deepEqual(socket.happened, ['said bye', 'cut'])
})

test('a client that closes in time isn’t cut off, and one that has gone is sent nothing', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [polite, gone] = [new Connection(), Object.assign(new Connection(), { destroyed: true })]
  closeSoon(polite)
  polite.emit('close')
  closeSoon(gone, 'bye')
  t.mock.timers.tick(closingGraceMs)
  assert.deepEqual([polite.happened, gone.happened], [['said '], []])
})
