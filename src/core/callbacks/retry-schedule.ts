const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** After the first try, the second and so on; then hourly. */
const pausesMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs] as const
/** Attempts are asked about by themselves for longer than this; an event only makes it sooner. */
const endMs = 3 * 24 * hourMs

/** After `tries` tries without an answer; undefined when it is enough. */
export function nextTryAt(tries: number, receivedAt: Date, now: Date): Date | undefined {
  if (now.getTime() - receivedAt.getTime() >= endMs) return undefined
  return new Date(now.getTime() + (pausesMs[tries - 1] ?? hourMs))
}
