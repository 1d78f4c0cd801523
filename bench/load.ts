import { HttpClient } from './http-client.ts'

// The load generator: requests made ahead of time, sent over as many connections as asked, each the next one as soon
// as its last answer is there. It runs in a process of its own (bench/drive.ts) and must never be the bottleneck: the
// line `ceiling` of the table shows its own limit, against a server that answers without looking.

export type LoadPlan = {
  readonly port: number
  readonly connections: number
  /**
   * Ends after this time or when the requests are used up, whichever comes first. Every connection sends at least one: a
   * machine that stood still for longer than this gave no answers, and a rate of nothing made a ratio infinite.
   */
  readonly seconds: number
  readonly requests: readonly string[]
  /** Begin again with the first request when they are used up. */
  readonly repeat: boolean
  readonly expectStatus: number
  /** Every answer must hold it: some servers refuse with the status of a success. */
  readonly expectText?: string
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
  const latenciesMs: number[] = []
  const begin = performance.now()
  const deadline = begin + plan.seconds * 1000
  let next = 0
  let unexpected = 0
  let firstUnexpected = ''
  const { expectStatus, expectText = '' } = plan

  function take(isFirst = false): Buffer | undefined {
    if (!isFirst && performance.now() >= deadline) return undefined
    if (next >= buffers.length && plan.repeat) next = 0
    const buffer = buffers[next]
    next += 1
    return buffer
  }

  async function oneConnection(): Promise<void> {
    const client = await HttpClient.open(plan.port)
    for (let request = take(true); request; request = take()) {
      const sent = performance.now()
      const answer = await client.send(request)
      latenciesMs.push(performance.now() - sent)
      if (answer.status === expectStatus && answer.body.includes(expectText)) continue
      unexpected += 1
      firstUnexpected ||= `${answer.head}\n${answer.body.slice(0, 300)}`
    }
    client.close()
  }

  await Promise.all(Array.from({ length: plan.connections }, oneConnection))
  const seconds = (performance.now() - begin) / 1000
  return { answered: latenciesMs.length, unexpected, firstUnexpected, seconds, latenciesMs }
}
