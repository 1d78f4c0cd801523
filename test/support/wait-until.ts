import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 20

/** For what another process does: asks again until the answer is true, and fails with the sentence when it never is. */
export async function waitUntil(
  sentence: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 300_000,
): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${sentence}`)
    await pause(POLL_MS)
  }
}
