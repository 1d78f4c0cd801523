import { Refusal } from '../../platform/errors/refusals.ts'
import { canAsk, confirm } from '../terminal/prompt.ts'
import { noAnswer } from './answered.ts'

// Whether the shop completed the order. Only the shop knows: its order page says it, or the person who looks at it.

export type OrderWatch = {
  readonly name: string
  /** A page is read after each call. A person is asked once before the payment and once after it. */
  readonly isPage: boolean
  /** Undefined if nobody can know. */
  isPaid(question?: string): Promise<boolean | undefined>
}

const pageTimeoutMs = 15_000

export function watchOrder(page: { readonly url: string; readonly paid: string } | undefined): OrderWatch {
  if (page === undefined)
    return {
      name: 'You',
      isPage: false,
      isPaid: async (question) => (question === undefined || !canAsk() ? undefined : confirm(question)),
    }
  const { url, paid } = page
  return { name: url, isPage: true, isPaid: async () => (await readPage(url)).includes(paid) }
}

async function readPage(url: string): Promise<string> {
  try {
    const answer = await fetch(url, {
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(pageTimeoutMs),
    })
    const text = await answer.text()
    if (answer.ok) return text
    throw new Refusal('unavailable', `The order page ${url} answered ${answer.status}`)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('unavailable', `The order page ${url} can't be read: ${noAnswer(error)}`)
  }
}
