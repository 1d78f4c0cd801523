import type { Database } from '../../platform/database/database.ts'
import { projectNamesOf } from '../../core/payments/project-names.ts'
import type { PaidPeriod, TopRow } from '../../dashboard/slots.ts'
import { countReasons, sumProjects, type ReasonRow } from './period-store.ts'

// Why payments of a period were not paid, and what the paid ones were for. Read from the newest payments of the period.

/** 5,000 take about 20 ms, so Home stays quick in a shop with a million payments. */
export const readMax = 5_000
const topMax = 5

export type { ReasonRow }

export async function readReasons(db: Database, period: PaidPeriod): Promise<ReasonRow[]> {
  return countReasons(db, { ...period, max: readMax })
}

export async function readTopProjects(db: Database, period: PaidPeriod): Promise<TopRow[]> {
  const rows = await sumProjects(db, { ...period, max: readMax }, topMax)
  const names = await projectNamesOf(db, period.merchantId, rows)
  return rows.map(({ project_id: id, payments, paid_minor: paidMinor }) => ({
    id,
    name: names.get(id) ?? id,
    payments,
    paidMinor,
  }))
}
