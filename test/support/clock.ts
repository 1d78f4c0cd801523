// A clock that runs with the real one, and jumps ahead when a test says so.
export type Clock = { readonly now: () => Date; readonly jump: (ms: number) => void }

export function makeClock(): Clock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    jump(ms) {
      aheadMs += ms
    },
  }
}

export const minutes = 60_000
export const hours = 60 * minutes
