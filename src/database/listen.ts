import pg from 'pg'

// One connection that listens for NOTIFY, opened again whenever it breaks. `connected` matters to callers that
// cache: while it is false they may have missed a message.

export type Listener = {
  readonly connected: boolean
  on(channel: string, heard: (payload: string) => void): void
  /** Called each time a connection is there again: whatever was said meanwhile was missed. */
  onConnect(connectedAgain: () => void): void
  close(): Promise<void>
}

const reconnectMs = 250
const heartbeatMs = 10_000

export function listen(url: string): Listener {
  const channels = new Map<string, ((payload: string) => void)[]>()
  const welcomes: (() => void)[] = []
  let client: pg.Client | undefined
  let connected = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'florin listen',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => {
      for (const heard of channels.get(channel) ?? []) heard(payload ?? '')
    })
    try {
      await next.connect()
      for (const channel of channels.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      connected = true
      for (const connectedAgain of welcomes) connectedAgain()
      if (!closed) timer = setTimeout(() => void heartbeat(next), heartbeatMs).unref()
    } catch {
      lost(next)
    }
  }

  /** A black-holed connection never errors by itself; a question that is not answered shows it. */
  async function heartbeat(current: pg.Client): Promise<void> {
    try {
      await current.query('select 1')
      if (!closed && current === client)
        timer = setTimeout(() => void heartbeat(current), heartbeatMs).unref()
    } catch {
      lost(current)
    }
  }

  function lost(gone: pg.Client): void {
    if (closed || gone !== client) return
    client = undefined
    connected = false
    clearTimeout(timer)
    void gone.end().catch(() => {})
    timer = setTimeout(() => void connect(), reconnectMs).unref()
  }

  void connect()
  return {
    get connected() {
      return connected
    },
    on(channel, heard) {
      const list = channels.get(channel) ?? []
      channels.set(channel, [...list, heard])
      if (list.length === 0 && connected) {
        void client?.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => {})
      }
    },
    onConnect(connectedAgain) {
      welcomes.push(connectedAgain)
    },
    async close() {
      closed = true
      connected = false
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
