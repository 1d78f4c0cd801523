import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 20
// A machine that is busy or stands still is no reason to give up, only a test that hangs is.
const LIMIT_MS = 300_000
// The real clock, also in a test that has its own.
const nowMs = performance.now.bind(performance)

/** For what another process does: asks again until the answer is true, and fails with the sentence when it never is. */
export async function waitUntil(
  sentence: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = LIMIT_MS,
): Promise<void> {
  const deadline = nowMs() + limitMs
  while (!(await isTrue())) {
    if (nowMs() > deadline) throw new Error(`Not within ${limitMs} ms: ${sentence}`)
    await pause(POLL_MS)
  }
}
