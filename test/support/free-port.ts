import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ports that systems hand to outgoing connections, and below those of the embedded PostgreSQL: a port that
// the system picked and gave back is soon somebody else's when many tests run at once. Above 10080, the last port that
// fetch and browsers refuse to call.
const ports = { from: 10_081, to: 19_999 }

/** A port that nobody used a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to)
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
