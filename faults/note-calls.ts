import { Socket as Datagrams } from 'node:dgram'
import dns from 'node:dns'
import { Socket } from 'node:net'

// Loaded with `node --import` before a server: tells its parent of every connection, question to the DNS and datagram.

export type Call = { readonly kind: 'connection' | 'dns' | 'datagram'; readonly to: string }

function tell(call: Call): void {
  process.send?.(call)
}

type Method = (...args: unknown[]) => unknown

/** Puts `note` before a method of a class. */
function before(prototype: object, name: string, note: (args: unknown[]) => void): void {
  const method = Reflect.get(prototype, name) as Method
  Reflect.set(prototype, name, function noted(this: unknown, ...args: unknown[]): unknown {
    note(args)
    return Reflect.apply(method, this, args)
  })
}

before(Socket.prototype, 'connect', (args) => {
  // Node's own callers pass the options and the listener as one array.
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0]
  const asked =
    typeof first === 'number' ? { port: first, host: args[1] } : (first as { port?: number; host?: unknown })
  tell({
    kind: 'connection',
    to: `${asked.host === undefined ? 'localhost' : JSON.stringify(asked.host)}:${asked.port}`.replaceAll(
      '"',
      '',
    ),
  })
})
before(Datagrams.prototype, 'send', (args) => tell({ kind: 'datagram', to: JSON.stringify(args.slice(1)) }))

for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  before(dns, name, ([host]) => {
    // A literal is looked up too, without asking anybody.
    if (typeof host === 'string' && !/^[\d.]+$|:/.test(host)) tell({ kind: 'dns', to: host })
  })
}
process.channel?.unref()
