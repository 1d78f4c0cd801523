import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStoppablePostgres } from '../../../test/support/stoppable-postgres.ts'
import { waitForDatabase } from './wait-for-database.ts'

const nobodyStops = (): void => {}

test('Florin waits and logs when the database starts late; a stop or a wrong password ends the wait', async () => {
  const postgres = await startStoppablePostgres()
  try {
    await postgres.stop()
    const lines: string[] = []
    const say = (line: string): void => {
      if (lines.push(line) === 1) void postgres.start()
    }
    await waitForDatabase(postgres.url, 'the database', { seconds: 600, say, refuseIfStopped: nobodyStops })
    assert.match(lines[0] ?? '', /^Waiting for the database, for 600 s more: connect ECONNREFUSED /)

    const wrong = postgres.url.replace(/:[^:@/]*@/, ':wrong@')
    await waitForDatabase(wrong, 'the database', {
      seconds: 600,
      say: () => assert.fail('it is no matter of time'),
      refuseIfStopped: nobodyStops,
    })

    await postgres.stop()
    const stopped = new Error('stopped')
    const waiting = {
      seconds: 600,
      say: () => {},
      refuseIfStopped: () => {
        throw stopped
      },
    }
    await assert.rejects(waitForDatabase(postgres.url, 'the database', waiting), stopped)
    await waitForDatabase(postgres.url, 'the database', { ...waiting, seconds: 0 })
  } finally {
    await postgres.remove()
  }
})
