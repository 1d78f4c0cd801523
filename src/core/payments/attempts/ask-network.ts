import type { Outcome } from '../../networks/connector.ts'
import type { Logger } from '../../../platform/http/log.ts'

export const networkLimitMs = 15_000

export type NoAnswer = Extract<Outcome, { kind: 'no_answer' }>

const noAnswer: NoAnswer = { kind: 'no_answer' }

/** Calls a network. Whatever goes wrong, a connector that forgets its signal included, is no answer: never a no. */
export async function askNetwork<Answer>(
  log: Logger,
  call: (signal: AbortSignal) => Promise<Answer>,
  limitMs: number = networkLimitMs,
): Promise<Answer | NoAnswer> {
  const limit = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<NoAnswer>((resolve) => {
    timer = setTimeout(() => {
      limit.abort(new Error(`No answer within ${limitMs} ms`))
      resolve(noAnswer)
    }, limitMs)
  })
  try {
    return await Promise.race([call(limit.signal), tooLate])
  } catch (error) {
    log.warn({ err: error }, 'No answer from a network')
    return noAnswer
  } finally {
    clearTimeout(timer)
  }
}
