import { connect, type Socket } from 'node:net'

// The load generator: raw sockets, requests made ahead of time, answers read by their length and no further. It runs
// in a process of its own (bench/drive.ts) and must never be the bottleneck: `npm run bench -- ceiling` shows its own
// limit against a server that answers without looking.

export type LoadPlan = {
  readonly port: number
  readonly connections: number
  /** Ends after this time or when the requests are used up, whichever comes first. */
  readonly seconds: number
  readonly requests: readonly string[]
  /** Begin again with the first request when they are used up. */
  readonly repeat: boolean
  readonly expectStatus: number
}

export type LoadResult = {
  readonly answered: number
  readonly unexpected: number
  readonly firstUnexpected: string
  readonly seconds: number
  readonly latenciesMs: number[]
}

export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const buffers = plan.requests.map((request) => Buffer.from(request))
  const latencies: number[] = []
  const begin = performance.now()
  const deadline = begin + plan.seconds * 1000
  let next = 0
  let unexpected = 0
  let firstUnexpected = ''

  function take(): Buffer | undefined {
    if (performance.now() >= deadline) return undefined
    if (next >= buffers.length && plan.repeat) next = 0
    const buffer = buffers[next]
    next += 1
    return buffer
  }

  async function oneConnection(): Promise<void> {
    const socket = await open(plan.port)
    let pending: Buffer = Buffer.alloc(0)
    let sentAt = 0
    await new Promise<void>((resolve, reject) => {
      const send = (): void => {
        const request = take()
        if (!request) {
          socket.destroy()
          return resolve()
        }
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        const end = answerEnd(pending)
        if (end === undefined || pending.length < end) return
        const status = Number(pending.toString('latin1', 9, 12))
        if (status !== plan.expectStatus) {
          unexpected += 1
          firstUnexpected ||= pending.toString('utf8', 0, 600)
        }
        latencies.push(performance.now() - sentAt)
        pending = pending.subarray(end)
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
      send()
    })
  }

  await Promise.all(Array.from({ length: plan.connections }, oneConnection))
  const seconds = (performance.now() - begin) / 1000
  return { answered: latencies.length, unexpected, firstUnexpected, seconds, latenciesMs: latencies }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return socket
}

const headEnd = Buffer.from('\r\n\r\n')

/** Where the answer ends, or undefined while its head is not complete. */
function answerEnd(data: Buffer): number | undefined {
  const head = data.indexOf(headEnd)
  if (head === -1) return undefined
  const length = /content-length: (\d+)/i.exec(data.toString('latin1', 0, head))?.[1]
  return head + 4 + Number(length ?? 0)
}
