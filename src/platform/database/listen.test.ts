import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { Database } from './database.ts'
import { listen, type Listener } from './listen.ts'
import { sql } from './sql.ts'

let home: TestDatabase
let db: Database

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})

after(async () => {
  await db.close()
  await home.drop()
})

test('a notification reaches all listeners of its channel and no others', async (t) => {
  const listener = open(t, home.url)
  const heard: string[] = []
  listener.on('one', (payload) => void heard.push(`first ${payload}`))
  listener.on('one', (payload) => void heard.push(`second ${payload}`))
  listener.on('Two "quoted"', (payload) => void heard.push(`two ${payload}`))
  await waitUntil('it listens', () => listener.connected)
  await say('three', 'not heard')
  await say('one', 'a')
  await say('Two "quoted"', 'b')
  await waitUntil('all was heard', () => heard.length === 3)
  assert.deepEqual(heard, ['first a', 'second a', 'two b'])
})

test('a channel can be added at any time', async (t) => {
  const listener = open(t, home.url)
  await waitUntil('it listens', () => listener.connected)
  const heard: string[] = []
  listener.on('late', (payload) => void heard.push(payload))
  await waitUntil('it is heard', async () => {
    await say('late', 'a')
    return heard.length > 0
  })
})

test('a lost listener reconnects, and callers learn that they may have missed something', async (t) => {
  const listener = open(t, home.url)
  const heard: string[] = []
  let welcomes = 0
  listener.on('again', (payload) => void heard.push(payload))
  listener.onConnect(() => (welcomes += 1))
  await waitUntil('it listens', () => listener.connected)
  assert.equal(welcomes, 1)
  await db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'florin listen' and datname = current_database()`)
  await waitUntil('it listens again', () => welcomes === 2 && listener.connected)
  await say('again', 'after')
  await waitUntil('it hears again', () => heard.includes('after'))
})

test('a silent connection is soon treated as dead', async (t) => {
  const proxy = await openTcpProxy(home.url)
  t.after(() => proxy.close())
  let nowMs = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => nowMs)
  const listener = open(t, proxy.url)
  const heard: string[] = []
  listener.on('silent', (payload) => void heard.push(payload))
  await waitUntil('it listens', () => listener.connected)
  proxy.silence()
  nowMs = 250
  t.mock.timers.tick(250) // the next heartbeat, which nobody answers
  nowMs = 799
  assert.equal(listener.connected, true)
  nowMs = 800
  assert.equal(listener.connected, false, 'by itself a connection would be believed for hours')
  await say('silent', 'held back')
  proxy.restore()
  await waitUntil('it is believed again', () => listener.connected)
  assert.deepEqual(heard, ['held back'], 'nothing was missed once it is believed')
})

test('a listener that nobody asks rests, and is believed again a moment after the next question', async (t) => {
  let nowMs = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => nowMs)
  const listener = open(t, home.url, 'florin rests')
  // Its own, as the other's connections hold timers of earlier tests.
  const onlooker = new Database(home.url)
  t.after(() => onlooker.close())
  const lastBeat = async (): Promise<unknown> => {
    const [row] = await onlooker.query<{ at: string }>(sql`
      select query_start as at from pg_stat_activity
      where application_name = 'florin rests' and datname = current_database()`)
    return row?.at
  }
  await waitUntil('it listens', () => listener.connected)
  const first = await lastBeat()

  nowMs = 60_001
  await waitUntil('its heart beats', async () => {
    t.mock.timers.tick(250)
    return (await lastBeat()) !== first
  })
  const resting = await lastBeat()
  await waitUntil('it rests', async () => {
    t.mock.timers.tick(250)
    return (await lastBeat()) === resting
  })
  await waitUntil('it beats seldom', async () => {
    t.mock.timers.tick(250)
    return (await lastBeat()) !== resting
  })

  nowMs = 70_000
  assert.equal(listener.connected, false, 'what it heard long ago counts for nothing')
  assert.equal(listener.isOpen, true)
  await waitUntil('it is believed', () => listener.connected)
})

test('a listener closed while connecting stays closed', async () => {
  const listener = listen(home.url)
  await listener.close()
  assert.equal(listener.connected, false)
  await waitUntil('its connection is gone', async () => {
    const rows = await db.query(sql`
      select from pg_stat_activity where application_name = 'florin listen' and datname = current_database()`)
    return rows.length === 0
  })
  assert.equal(listener.connected, false)
})

async function say(channel: string, payload: string): Promise<void> {
  await db.query(sql`select pg_notify(${channel}, ${payload})`)
}

function open(t: { after(fn: () => Promise<void>): void }, url: string, name?: string): Listener {
  const listener = listen(url, name)
  t.after(() => listener.close())
  return listener
}
