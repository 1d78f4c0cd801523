import { readJournal, type LoadEntry } from './journal.ts'
import { ask, type Witness } from './stage.ts'

// What the load was answered, compared with what is true.

/** I15: where the answer was that nothing was done, nothing was stored. */
export async function nothingMeansNothing(stage: Witness): Promise<string[]> {
  const told = entries(stage).filter((entry) => entry.op === 'nothing')
  const rows = await ask<{ tx_ref: string }>(
    stage.databaseUrl,
    `select tx_ref from payments where merchant_id = $1 and mode = 'test' and tx_ref = any($2)`,
    [stage.merchant.id, told.map(({ txRef }) => txRef)],
  )
  return rows.map(({ tx_ref: txRef }) => `${txRef}: "nothing was done", and it was stored`)
}

/** No fault excuses a wrong answer: 503, or none, is what may be said. */
export async function answersAreRight(stage: Witness): Promise<string[]> {
  const wrong = entries(stage).filter((entry) => entry.op === 'wrong')
  return [...wrong.map(({ what }) => what), ...(stage.live?.wrong ?? [])]
}

function entries(stage: Witness): LoadEntry[] {
  return stage.journals.flatMap((path) => readJournal<LoadEntry>(path))
}
