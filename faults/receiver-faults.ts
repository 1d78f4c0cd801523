import { setTimeout as pause } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { strangersCert, strangersKey } from './certificate.ts'
import { reachWithinMs, type Fault } from './play.ts'
import { thank, type Behaviour, type Handshake } from './receiver.ts'

// What merchants' servers do. Whatever it is, creates go on, and every end of a payment is told in the end.

const hang: Behaviour = () => {}
const drip: Behaviour = (_, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 500)
  response.on('close', () => clearInterval(timer))
}
const redirectHome: Behaviour = (_, response) =>
  void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
const sendTenMegabytes: Behaviour = (_, response) => {
  response.on('error', () => {})
  response.writeHead(500).end(Buffer.alloc(10_000_000, 46))
}
const breakOff: Behaviour = (request) => void request.socket.destroy()
const notHttp: Behaviour = (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n')
const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end()

function receiverThat(does: string, behaviour: Behaviour): Fault {
  return {
    name: `receiver ${does}`,
    clients: 8,
    runs: { short: 1, long: 10 },
    async strike(act) {
      act.stage.receiver.behave(behaviour)
      const reached = await isReached(() => act.stage.receiver.received())
      act.stage.receiver.behave(thank)
      if (reached) act.hit()
      await act.recovered(Date.now())
    },
  }
}

// Each at one time or another: not TLS at all, the end in the middle, and a certificate of somebody else.
const brokenHandshakes: readonly Handshake[] = [
  (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'),
  (socket) => void socket.once('data', () => socket.resetAndDestroy()),
  (socket) => void stranger.emit('connection', socket),
]
const stranger = createServer({ cert: strangersCert, key: strangersKey })
stranger.on('tlsClientError', () => {})

const breaksTls: Fault = {
  name: 'receiver breaks TLS',
  clients: 8,
  runs: { short: 1, long: 10 },
  async strike(act) {
    const { receiver } = act.stage
    let hit = true
    for (const handshake of brokenHandshakes) {
      receiver.greet(handshake)
      hit &&= await isReached(() => receiver.greeted())
    }
    receiver.greet(undefined)
    // And it can be reached when it is mended, or nobody would have learned anything.
    hit &&= await isReached(() => receiver.receivedSecurely())
    if (hit) act.hit()
    await act.recovered(Date.now())
  },
}

async function isReached(count: () => number): Promise<boolean> {
  const before = count()
  const deadline = Date.now() + reachWithinMs
  while (count() < before + 3) {
    if (Date.now() > deadline) return false
    await pause(20)
  }
  return true
}

export const receiverFaults: readonly Fault[] = [
  receiverThat('hangs', hang),
  receiverThat('drips', drip),
  receiverThat('redirects to loopback', redirectHome),
  receiverThat('sends 10 MB', sendTenMegabytes),
  receiverThat('breaks off', breakOff),
  receiverThat('does not speak HTTP', notHttp),
  breaksTls,
  receiverThat('answers 410', answer(410)),
  receiverThat('answers 429', answer(429, { 'retry-after': '2' })),
]
