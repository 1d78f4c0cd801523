import type { Database } from '../../../platform/database/database.ts'
import type { PaidFilter } from '../daily-totals/not-reported.ts'
import { listTaken, type TakenPayment } from './taken-store.ts'

export type { TakenPayment }

/** Payments whose money the bank took in a period and still has. */
export async function* readTaken(
  db: Database,
  filter: PaidFilter,
  pageSize: number,
): AsyncGenerator<readonly TakenPayment[]> {
  let after: string | undefined = ''
  do {
    const page: TakenPayment[] = await listTaken(db, filter, { after, limit: pageSize })
    yield page
    after = page.length === pageSize ? page.at(-1)?.number : undefined
  } while (after !== undefined)
}
