import { setTimeout as pause } from 'node:timers/promises'
import type { Act, Fault } from './play.ts'
import { thank, type Behaviour } from './receiver.ts'

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
      const reached = await isReached(act)
      act.stage.receiver.behave(thank)
      if (reached) act.hit()
      await act.recovered(Date.now())
    },
  }
}

const reachWithinMs = 20_000

async function isReached({ stage }: Act): Promise<boolean> {
  const before = stage.receiver.received()
  const deadline = Date.now() + reachWithinMs
  while (stage.receiver.received() < before + 3) {
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
  receiverThat('answers 410', answer(410)),
  receiverThat('answers 429', answer(429, { 'retry-after': '2' })),
]
