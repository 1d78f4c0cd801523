import type { Database } from '../../../platform/database/database.ts'
import { listAttempts, type AttemptRow } from '../attempts/attempt-store.ts'
import { listHistory, type HistoryRow } from '../history-store.ts'
import type { PaymentKey } from '../store.ts'
import { listNotes, type NoteRow } from './note-store.ts'

// What payments/ knows about one payment besides its row: the attempts, their results, and the team's notes.

export type { AttemptRow } from '../attempts/attempt-store.ts'
export type { HistoryRow } from '../history-store.ts'
export type { NoteRow } from './note-store.ts'

export type PaymentStory = {
  readonly attempts: readonly AttemptRow[]
  readonly history: readonly HistoryRow[]
  readonly notes: readonly NoteRow[]
}

export async function readStory(db: Database, key: PaymentKey): Promise<PaymentStory> {
  const [attempts, history, notes] = await Promise.all([
    listAttempts(db, key),
    listHistory(db, key),
    listNotes(db, key),
  ])
  return { attempts, history, notes }
}
