// Clocks that jump ahead when a test says so.

export type Clock = { readonly now: () => Date; readonly jump: (ms: number) => void }

/** Runs with the real one. */
export function makeClock(): Clock {
  return clockOver(Date.now)
}

/** Stands still in between, so that nothing falls due because the machine is slow. */
export function makeStillClock(): Clock {
  const openedMs = Date.now()
  return clockOver(() => openedMs)
}

function clockOver(readMs: () => number): Clock {
  let aheadMs = 0
  return {
    now: () => new Date(readMs() + aheadMs),
    jump(ms) {
      aheadMs += ms
    },
  }
}

export const minutes = 60_000
export const hours = 60 * minutes
