import { brokenRule, type Refusal } from '../errors/refusals.ts'
import type { PaymentRow } from './store.ts'

export type FindProjectId = (merchantId: number, idOrName: string) => Promise<string | undefined>

/** Of payments that exist: their projects may have been deleted since. */
export type ProjectsOfPayments = {
  readonly findId: FindProjectId
  names(merchantId: number, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Without a statement when no payment has a project. */
export async function namesOf(
  projects: ProjectsOfPayments,
  merchantId: number,
  payments: readonly PaymentRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(payments.flatMap((payment) => payment.project_id ?? []))
  return ids.size === 0 ? new Map() : projects.names(merchantId, [...ids])
}

export function noSuchProject(): Refusal {
  return brokenRule('project', 'project must be one of your projects')
}
