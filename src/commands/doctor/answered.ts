/** `status` is null without an answer, and `answer` then says why. */
export type Answered = { readonly status: number | null; readonly answer: string }

const answerKept = 60

export async function readAnswer(send: () => Promise<Response>): Promise<Answered> {
  try {
    const answer = await send()
    const location = answer.headers.get('location')
    const text = location === null ? await answer.text() : `to ${location}`
    return { status: answer.status, answer: text.slice(0, answerKept) }
  } catch (error) {
    return { status: null, answer: noAnswer(error) }
  }
}

export function noAnswer(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: unknown }
  if (name === 'TimeoutError') return 'no answer in 15 s'
  if (typeof code === 'string') return `no answer (${code})`
  return cause === undefined || cause === null ? 'no answer' : noAnswer(cause)
}
