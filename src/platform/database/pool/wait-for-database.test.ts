import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStoppablePostgres } from '../../../../test/support/stoppable-postgres.ts'
import { connectOnce, whenDatabaseAnswers, type Waiting } from './wait-for-database.ts'

const waitingFor = (seconds: number, changes: Partial<Waiting> = {}): Waiting => ({
  untilMs: performance.now() + seconds * 1_000,
  say: () => {},
  refuseIfStopped: () => {},
  ...changes,
})

test('Florin waits and logs when the database starts late; a stop or a wrong password ends the wait', async () => {
  const postgres = await startStoppablePostgres()
  const connect = async (): Promise<void> => connectOnce(postgres.url)
  try {
    await postgres.stop()
    const lines: string[] = []
    const say = (line: string): void => {
      if (lines.push(line) === 1) void postgres.start()
    }
    await whenDatabaseAnswers('the database', waitingFor(600, { say }), connect)
    assert.match(lines[0] ?? '', /^Waiting for the database, for \d+ s more: connect ECONNREFUSED /)

    const wrong = postgres.url.replace(/:[^:@/]*@/, ':wrong@')
    const never = waitingFor(600, { say: () => assert.fail('waiting does not help') })
    await assert.rejects(
      whenDatabaseAnswers('the database', never, async () => connectOnce(wrong)),
      /password authentication failed/,
    )

    await postgres.stop()
    const stopped = new Error('stopped')
    const refuseIfStopped = (): void => {
      throw stopped
    }
    await assert.rejects(
      whenDatabaseAnswers('the database', waitingFor(600, { refuseIfStopped }), connect),
      stopped,
    )
    await assert.rejects(whenDatabaseAnswers('the database', waitingFor(0), connect), /ECONNREFUSED/)
  } finally {
    await postgres.remove()
  }
})
