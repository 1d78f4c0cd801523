import { Socket as Datagrams } from 'node:dgram'
import dns from 'node:dns'
import { Socket } from 'node:net'

// Loaded with `node --import` before a server: tells its parent of every connection, question to the DNS and datagram.

export type Call = { readonly kind: 'connection' | 'dns' | 'datagram'; readonly to: string }

function tell(call: Call): void {
  process.send?.(call)
}

// eslint-disable-next-line typescript/unbound-method -- called with its own socket below
const connect = Socket.prototype.connect as (...args: unknown[]) => unknown
Socket.prototype.connect = function noted(this: Socket, ...args: unknown[]): Socket {
  // Node's own callers pass the options and the listener as one array.
  const first = (Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0]) as
    | { host?: string; port?: number }
    | number
  const port = typeof first === 'number' ? first : first.port
  const host = typeof first === 'number' ? (args[1] as string | undefined) : first.host
  tell({ kind: 'connection', to: `${host ?? 'localhost'}:${port}` })
  return Reflect.apply(connect, this, args) as Socket
}

for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) {
  const ask = dns[name] as (...args: unknown[]) => unknown
  Object.assign(dns, {
    [name](...args: unknown[]) {
      // A literal is looked up too, without asking anybody.
      if (!/^[\d.]+$|:/.test(String(args[0]))) tell({ kind: 'dns', to: String(args[0]) })
      return Reflect.apply(ask, dns, args)
    },
  })
}

// eslint-disable-next-line typescript/unbound-method -- called with its own socket below
const send = Datagrams.prototype.send as (...args: unknown[]) => void
Datagrams.prototype.send = function noted(this: Datagrams, ...args: unknown[]): void {
  tell({ kind: 'datagram', to: args.map(String).join(' ') })
  Reflect.apply(send, this, args)
} as typeof Datagrams.prototype.send
process.channel?.unref()
