import { inTransaction, type Database, type Queryable } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct } from '../../../core/audit/audit.ts'
import { byPerson, type People, type Person, type Visitor } from '../people.ts'
import { hasRight } from '../rights.ts'
import { listPeople } from '../store.ts'
import { findMerchantsWithSummary } from './memberships-look-store.ts'
import { listMembers, lockMembers, setMonthlySummary } from './team-store.ts'

// Members who get the monthly summary. Owners choose for everyone; each member may for themselves.

export async function findMerchantsWithReaders(db: Database, max: number): Promise<number[]> {
  return findMerchantsWithSummary(db, max)
}

export async function listReaders(
  db: Queryable,
  merchantId: number,
): Promise<{ readonly email: string; readonly name: string }[]> {
  const rows = await listMembers(db, merchantId)
  const ids = rows.filter((row) => row.monthly_summary).map(({ person_id }) => person_id)
  return ids.length === 0 ? [] : listPeople(db, ids)
}

export async function changeMonthlySummary(
  people: People,
  merchantId: number,
  change: { readonly personId: string; readonly isOn: boolean },
  by: Person,
  visitor: Visitor,
): Promise<void> {
  const { personId, isOn } = change
  await inTransaction(people.db, async (tx) => {
    const members = await lockMembers(tx, merchantId)
    const asking = members.find((one) => one.person_id === by.id)
    const member = members.find((one) => one.person_id === personId)
    if (!member) throw new Refusal('not_found', "This person isn't on the team")
    if (personId !== by.id && !(asking && hasRight(asking.role, 'team.change')))
      throw new Refusal('not_allowed')
    if (member.monthly_summary === isOn) return
    await setMonthlySummary(tx, merchantId, personId, isOn)
    await recordAct(tx, merchantId, byPerson(by.id, visitor), {
      action: 'team.summary_changed',
      subject: personId,
      before: { monthly_summary: !isOn },
      after: { monthly_summary: isOn },
    })
  })
}
