import { setTimeout as pause } from 'node:timers/promises'
import { mayBeAskedAgain } from './merchant.ts'

const triesMax = 600
const pauseMs = 500

/**
 * What the key of somebody else is told of a payment, as a sentence where it is not that there is none. 503, 408 or no answer
 * says nothing of the payment: on a machine that is too busy it is asked again, until there is an answer.
 */
export async function heardByForeignKey(url: string, txRef: string, key: string): Promise<string[]> {
  for (let left = triesMax; ; left -= 1) {
    const status = await askOnce(`${url}/api/transaction/${txRef}`, key)
    if (status === 404) return []
    const isClear = status !== undefined && !mayBeAskedAgain(status)
    if (isClear || left === 1) return [`${txRef}: a foreign key got ${status ?? 'no answer'}`]
    await pause(pauseMs)
  }
}

async function askOnce(address: string, key: string): Promise<number | undefined> {
  try {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined
  }
}
