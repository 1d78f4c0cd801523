import pg from 'pg'

// One connection that listens for NOTIFY, opened again whenever it breaks. `connected` matters to callers that
// cache: while it is false they may have missed a message.

export type Listener = {
  /** PostgreSQL has answered within the last moment, so no notification can be missing. For callers that cache. */
  readonly connected: boolean
  /** It listens, as far as it knows. Asking for this costs nothing. */
  readonly isOpen: boolean
  on(channel: string, heard: (payload: string) => void): void
  /** Called after each reconnect: notifications in between were missed. */
  onConnect(connectedAgain: () => void): void
  /** False: notifications were tested and didn't arrive, so callers must not rely on them. */
  believe(isHeard: boolean): void
  /** The connection's name in PostgreSQL from now on. */
  rename(name: string): Promise<void>
  close(): Promise<void>
}

const reconnectMs = 250
// A revoked key must be refused within a second, even when the network swallows the notification without closing the
// connection. So a connection that has not answered a heartbeat for longer than believedMs counts as broken. When the
// late answer does come it counts as whole again: messages arrive in order, so none before the answer was lost.
const heartbeatMs = 250
// On a quiet server nobody asks whether to believe what is cached. After a minute nothing cached is believed anyway, so the
// heart rests: two idle servers sent eight of ten statements a second for it. Who asks first is told no, and it beats again.
const restAfterMs = 60_000
const restingHeartbeatMs = 5_000
const ordinaryLimits: ListenLimits = { believedMs: 800, answerLimitMs: 5_000 }

export type ListenLimits = { readonly believedMs: number; readonly answerLimitMs: number }

/** `name`: the connection's name in PostgreSQL. Each process has one, so the list shows what runs. */
export function listen(url: string, name = 'florin listen', limits = ordinaryLimits): Listener {
  const connection = new ListeningConnection(url, name, limits)
  void connection.connect()
  return connection
}

class ListeningConnection implements Listener {
  readonly #url: string
  #name: string
  readonly #limits: ListenLimits
  readonly #channels = new Map<string, ((payload: string) => void)[]>()
  readonly #welcomes: (() => void)[] = []
  #client: pg.Client | undefined
  /** The client, once it listens to every channel that was asked for. */
  #listening: pg.Client | undefined
  #heardAtMs = -Infinity
  /** When a caller last wanted to know whether it is connected. */
  #askedAtMs = performance.now()
  #closed = false
  #isBelieved = true
  #timer: NodeJS.Timeout | undefined
  /** The client that has not answered the last heartbeat yet. */
  #beating: pg.Client | undefined

  constructor(url: string, name: string, limits: ListenLimits) {
    this.#url = url
    this.#name = name
    this.#limits = limits
  }

  get connected(): boolean {
    const wasResting = this.#isResting
    const nowMs = performance.now()
    this.#askedAtMs = nowMs
    if (wasResting) this.#wakeUp()
    return this.#isBelieved && nowMs - this.#heardAtMs < this.#limits.believedMs
  }

  get isOpen(): boolean {
    return this.#listening !== undefined
  }

  get #isResting(): boolean {
    return performance.now() - this.#askedAtMs > restAfterMs
  }

  async connect(): Promise<void> {
    const name = this.#name
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: this.#limits.answerLimitMs,
      query_timeout: this.#limits.answerLimitMs,
    })
    this.#client = client
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel, payload }) => {
      for (const heard of this.#channels.get(channel) ?? []) heard(payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of this.#channels.keys()) await listenTo(client, channel)
      if (this.#closed || client !== this.#client) return
      this.#listening = client
      this.#beating = client
      if (name !== this.#name) await rename(client, this.#name)
      for (const connectedAgain of this.#welcomes) connectedAgain()
      await this.#beat(client)
    } catch {
      this.#lost(client)
    }
  }

  async #beat(client: pg.Client): Promise<void> {
    const askedAtMs = performance.now()
    this.#beating = client
    await client.query('select 1')
    this.#beating = undefined
    if (this.#closed || client !== this.#client) return
    // The time of the question, not of the answer: a notification sent after the question may still be on its way.
    this.#heardAtMs = askedAtMs
    const pauseMs = this.#isResting ? restingHeartbeatMs : heartbeatMs
    this.#timer = setTimeout(() => this.#beatOrLose(client), pauseMs).unref()
  }

  #wakeUp(): void {
    const client = this.#listening
    if (client === undefined || client === this.#beating) return
    clearTimeout(this.#timer)
    this.#beatOrLose(client)
  }

  #beatOrLose(client: pg.Client): void {
    this.#beat(client).catch(() => this.#lost(client))
  }

  #lost(client: pg.Client): void {
    if (this.#closed || client !== this.#client) return
    this.#client = undefined
    this.#listening = undefined
    this.#heardAtMs = -Infinity
    clearTimeout(this.#timer)
    void client.end().catch(() => {})
    this.#timer = setTimeout(() => void this.connect(), reconnectMs).unref()
  }

  on(channel: string, heard: (payload: string) => void): void {
    const list = this.#channels.get(channel)
    this.#channels.set(channel, [...(list ?? []), heard])
    const client = this.#listening
    if (list === undefined && client) {
      listenTo(client, channel).catch(() => this.#lost(client))
    }
  }

  onConnect(connectedAgain: () => void): void {
    this.#welcomes.push(connectedAgain)
  }

  believe(isHeard: boolean): void {
    this.#isBelieved = isHeard
  }

  async rename(name: string): Promise<void> {
    this.#name = name
    const client = this.#listening
    if (client) await rename(client, name).catch(() => this.#lost(client))
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#heardAtMs = -Infinity
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }
}

async function rename(client: pg.Client, name: string): Promise<void> {
  await client.query(`select set_config('application_name', $1, false)`, [name])
}

async function listenTo(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${pg.escapeIdentifier(channel)}`)
}
