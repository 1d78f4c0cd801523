/** `status` is null without an answer, and `answer` then says why. */
export type Answered = {
  readonly status: number | null
  readonly answer: string
  /** Of a notification: Florin takes it for failed and will send it again. */
  readonly refused?: boolean
}

const answerRead = 4096
const answerKept = 60

export async function readAnswer(send: () => Promise<Response>): Promise<Answered> {
  try {
    const answer = await send()
    const location = answer.headers.get('location')
    const text = location === null ? await answer.text() : `to ${location}`
    return { status: answer.status, answer: startOf(text) }
  } catch (error) {
    return { status: null, answer: noAnswer(error) }
  }
}

/** One line for a table: of a page its words. */
export function startOf(text: string): string {
  const start = text.slice(0, answerRead)
  const words = /^\s*</.test(start) ? start.replace(/<[^<>]*>/g, ' ') : start
  return words.replace(/\s+/g, ' ').trim().slice(0, answerKept)
}

export function noAnswer(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: unknown }
  if (name === 'TimeoutError') return 'no answer in 15 s'
  if (typeof code === 'string') return `no answer (${code})`
  return cause === undefined || cause === null ? 'no answer' : noAnswer(cause)
}
