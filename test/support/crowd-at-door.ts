import { turns } from '../../src/dashboard/people/passwords/hash-password.ts'

/** As many sign-ins as may wait, each from another network; none goes on until they are let in. */
export async function crowdAtDoor(): Promise<{ letIn(): Promise<void> }> {
  const ask = async (n: number) => turns.take({ queue: 'open', share: `network ${n}` })
  const first = await Promise.all([ask(1), ask(2)])
  const waiting = Array.from({ length: 60 }, async (_, n) => (await ask(n + 3))())
  return {
    async letIn() {
      for (const release of first) release()
      await Promise.all(waiting)
    },
  }
}
