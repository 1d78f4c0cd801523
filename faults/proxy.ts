import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { makeSplitter, watchCommits } from './wire.ts'

// Stands between the server and its database and does to their connections what networks do.

export type Proxy = {
  /** The database's address by way of the proxy. */
  readonly url: string
  /** How many answers to a commit were taken away so far. */
  cuts(): number
  delay(ms: number): void
  /** Nothing gets through and nothing breaks, as when a switch swallows packets; what was sent comes later. */
  blackHole(on: boolean): void
  /** New connections are reset. */
  refuse(on: boolean): void
  /** Breaks every connection now; returns how many. */
  reset(): number
  /** Asked after each commit that PostgreSQL answered; true breaks the connection before the server can read it. */
  cutAfterCommit(when: () => boolean): void
  close(): Promise<void>
}

type ProxiedConnection = { readonly client: Socket; readonly database: Socket }

type Mood = { delayMs: number; swallowing: boolean; refusing: boolean; cut: () => boolean; cuts: number }

export async function openProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const lines = new Set<ProxiedConnection>()
  const mood: Mood = { delayMs: 0, swallowing: false, refusing: false, cut: () => false, cuts: 0 }

  const server = createServer((client) => {
    if (mood.refusing) {
      client.resetAndDestroy()
      return
    }
    const line = { client, database: connect(Number(target.port), target.hostname) }
    lines.add(line)
    const end = (): void => {
      lines.delete(line)
      client.destroy()
      line.database.destroy()
    }
    for (const socket of [client, line.database]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
      if (mood.swallowing) socket.pause()
    }
    carry(line, mood)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    cuts: () => mood.cuts,
    delay(ms) {
      mood.delayMs = ms
    },
    blackHole(on) {
      mood.swallowing = on
      for (const { client, database } of lines) {
        for (const socket of [client, database])
          if (on) socket.pause()
          else socket.resume()
      }
    },
    refuse(on) {
      mood.refusing = on
    },
    reset() {
      const broken = lines.size
      for (const { client } of lines) client.resetAndDestroy()
      return broken
    },
    cutAfterCommit(when) {
      mood.cut = when
    },
    async close() {
      for (const { client } of lines) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function carry(line: ProxiedConnection, mood: Mood): void {
  const { client, database } = line
  const split = makeSplitter()
  const commits = watchCommits()
  const toDatabase = inOrder(mood, database)
  const toClient = inOrder(mood, client)
  client.on('data', toDatabase)
  database.on('data', (piece: Buffer) => {
    for (const message of split(piece)) {
      const { pass, committed } = commits.read(message)
      if (committed && mood.cut()) {
        mood.cuts += 1
        client.resetAndDestroy()
        return
      }
      for (const bytes of pass) toClient(bytes)
    }
  })
}

/** Late if so wanted, but never out of order. */
function inOrder(mood: Mood, to: Socket): (bytes: Buffer) => void {
  const waiting: Buffer[] = []
  let sending = false

  async function send(): Promise<void> {
    sending = true
    for (let bytes = waiting.shift(); bytes; bytes = waiting.shift()) {
      if (mood.delayMs > 0) await pause(mood.delayMs)
      if (to.writable) to.write(bytes)
    }
    sending = false
  }

  return (bytes) => {
    waiting.push(bytes)
    if (!sending) void send()
  }
}
