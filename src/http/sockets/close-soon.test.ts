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

test('the last words are said, and who does not close its half is cut off when its time is over', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const socket = new Connection()
  closeSoon(socket, 'bye')
  assert.deepEqual(socket.happened, ['said bye'])
  t.mock.timers.tick(closingGraceMs - 1)
  assert.deepEqual(socket.happened, ['said bye'])
  t.mock.timers.tick(1)
  assert.deepEqual(socket.happened, ['said bye', 'cut'])
})

test('who closes in time is not cut off, and who has gone is told nothing', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [polite, gone] = [new Connection(), Object.assign(new Connection(), { destroyed: true })]
  closeSoon(polite)
  polite.emit('close')
  closeSoon(gone, 'bye')
  t.mock.timers.tick(closingGraceMs)
  assert.deepEqual([polite.happened, gone.happened], [['said '], []])
})
