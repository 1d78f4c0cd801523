import { setTimeout as pause } from 'node:timers/promises'

const triesMax = 60
const pauseMs = 500

/**
 * What the key of somebody else is told of a payment, as a sentence where it is not that there is none. 503 says nothing of
 * the payment: on a machine with too much to do it is asked again, until there is an answer.
 */
export async function heardByForeignKey(url: string, txRef: string, key: string): Promise<string[]> {
  const address = `${url}/api/transaction/${txRef}`
  for (let left = triesMax; ; left -= 1) {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    if (answer.status === 404) return []
    if (answer.status !== 503 || left === 1) return [`${txRef}: a foreign key got ${answer.status}`]
    await pause(pauseMs)
  }
}
