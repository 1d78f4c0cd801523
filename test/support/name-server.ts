import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

// A name server on loopback, for one zone of lies: each question is answered with the addresses that the test says.

export type NameServer = {
  /** As node:dns takes it. */
  readonly address: string
  /** Names that were asked for, with the type, in their order. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Addresses of a name at its `time`-th question of a type, counted from 1; the family is chosen by the type asked for. */
export type AnswerName = (name: string, time: number) => readonly string[]

const types = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])
const headBytes = 12
const nameError = 3

export async function openNameServer(answer: AnswerName): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message)
    const question = `${name} ${type ?? ''}`
    asked.push(question)
    const time = asked.filter((earlier) => earlier === question).length
    const records = answer(name, time)
      .map((text) => ipaddr.parse(text))
      .filter((parsed) => type === (parsed.kind() === 'ipv4' ? 'A' : 'AAAA'))
      .map((parsed) => record(type === 'A' ? 1 : 28, parsed.toByteArray()))
    const head = Buffer.from(message.subarray(0, headBytes))
    const isKnown = answer(name, time).length > 0
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8180 | nameError, 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, message.subarray(headBytes, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.unref()
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(message: Buffer): { name: string; type: string | undefined; end: number } {
  const labels: string[] = []
  let at = headBytes
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: types.get(message.readUInt16BE(at + 1)), end: at + 5 }
}

/** The name is the question's; it may be kept for no time at all. */
function record(type: number, address: readonly number[]): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | headBytes, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(address.length, 10)
  return Buffer.concat([head, Buffer.from(address)])
}
