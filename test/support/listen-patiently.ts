import { listen, type Listener } from '../../src/platform/database/listen.ts'

// A listener that also believes and keeps its connection on a machine that is busy or stands still: else it would miss what is
// said meanwhile, and whoever asks it would remember nothing. Tests of the limits themselves use `listen`.
const limits = { believedMs: 300_000, answerLimitMs: 300_000 }

export function listenPatiently(url: string, name?: string): Listener {
  return listen(url, name, limits)
}
