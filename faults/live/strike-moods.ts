import type { Mood } from '../../test/support/networks/stand-in.ts'

/** How a network's answer gets lost. */
export const moods: Readonly<Record<string, Mood>> = {
  'cuts the line before it acts': { kind: 'cuts', when: 'before' },
  'cuts the line after it acted': { kind: 'cuts', when: 'after' },
  'fails before it acts': { kind: 'fails', when: 'before' },
  'fails after it acted': { kind: 'fails', when: 'after' },
  'falls silent before it acts': { kind: 'hangs', when: 'before' },
  'falls silent after it acted': { kind: 'hangs', when: 'after' },
  'is busy': { kind: 'busy', seconds: 1 },
  'is closed for maintenance': { kind: 'maintenance', status: 503 },
}
