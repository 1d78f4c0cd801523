import type { Database } from '../../platform/database/database.ts'
import { projectNamesOf } from '../../core/payments/project-names.ts'
import { countReasons, listLinked, sumProjects, type PeriodScope, type ReasonRow } from './period-store.ts'

// Why payments of a period were not paid, and what the paid ones were for. Read from the newest payments of the period.

/** 5,000 take about 20 ms, so Home stays quick in a shop with a million payments. */
export const readMax = 5_000
const topMax = 5

export { listLinked }
export type { PeriodScope, ReasonRow }

export type Period = Omit<PeriodScope, 'max'>

export async function readReasons(db: Database, period: Period): Promise<ReasonRow[]> {
  return countReasons(db, { ...period, max: readMax })
}

export type TopRow = {
  readonly id: string
  readonly name: string
  readonly payments: number
  readonly paidMinor: bigint
}

export async function readTopProjects(db: Database, period: Period): Promise<TopRow[]> {
  const rows = await sumProjects(db, { ...period, max: readMax }, topMax)
  const names = await projectNamesOf(db, period.merchantId, rows)
  return rows.map(({ project_id: id, payments, paid_minor: paidMinor }) => ({
    id,
    name: names.get(id) ?? id,
    payments,
    paidMinor,
  }))
}
