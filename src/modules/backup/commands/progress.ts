import type { Progress } from '../write-backup.ts'
import { standard } from '../../../cli/terminal/standard.ts'

const everyMs = 200

/** One line on a terminal that is updated, and removed at the end. Nothing without a terminal. */
export function showProgress(doing: string): {
  readonly show: (progress: Progress) => void
  readonly clear: () => void
} {
  let shownAt = 0
  return {
    show({ table, rows, bytes }) {
      const now = performance.now()
      if (!standard().stderr.isTTY || now - shownAt < everyMs) return
      shownAt = now
      const line = `${doing}: ${table}, ${rows.toLocaleString('en')} rows, ${(bytes / 1e6).toFixed(1)} MB`
      standard().stderr.write(`\r\u001b[K${line.slice(0, (standard().stderr.columns ?? 80) - 1)}`)
    },
    clear() {
      if (shownAt > 0) standard().stderr.write('\r\u001b[K')
      shownAt = 0
    },
  }
}
