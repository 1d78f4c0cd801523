import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { recordAct } from '../../core/audit/audit.ts'
import { deleteFactorsOf } from './factors/factor-store.ts'
import { deletedEmail } from './emails.ts'
import { deleteLinksOf } from './link-store.ts'
import { deleteIdentitiesOf } from './openid/identity-store.ts'
import { byPerson, recordOwnAct, type People, type Person, type Visitor } from './people.ts'
import { deleteDevicesOf, deleteSessionsOf } from './sessions/session-store.ts'
import { deletePerson, isOnlyOperator, lockPerson } from './store.ts'
import { findMerchantsOf } from './team/memberships-look-store.ts'
import { deleteMember } from './team/team-store.ts'
import { lockMember } from './team/team.ts'

// Somebody goes for good. What others need stays: the shops, and in the audit log what this person did, under an id that no
// longer leads to anybody, with one last entry that says whose it was.

export async function deleteOwnAccount(people: People, person: Person, visitor: Visitor): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    const row = await lockPerson(tx, person.id)
    if (!row) throw new Refusal('not_found')
    if (row.is_operator && (await isOnlyOperator(tx, row.id)))
      throw brokenRule('form', "You're the only operator of this installation.")
    const by = byPerson(row.id, visitor)
    const before = { name: row.name, email: masked(row.email) }
    await recordOwnAct(tx, row.id, by, { action: 'person.deleted', subject: row.id, before })
    for (const merchantId of await findMerchantsOf(tx, row.id)) {
      const { role } = await lockMember(tx, merchantId, row.id)
      await deleteMember(tx, merchantId, row.id)
      await recordAct(tx, merchantId, by, { action: 'team.left', subject: row.id, before: { role } })
    }
    await deleteEverythingOf(tx, row.id)
    await people.sendEmail(tx, deletedEmail(row, people.now(), visitor))
  })
}

/** Enough for those who knew the person. */
function masked(email: string): string {
  return email.replace(/^(.).*@/u, '$1…@')
}

async function deleteEverythingOf(tx: Transaction, personId: string): Promise<void> {
  await deleteSessionsOf(tx, personId)
  await deleteDevicesOf(tx, personId)
  await deleteFactorsOf(tx, personId)
  await deleteLinksOf(tx, personId, ['reset', 'email', 'sign_in'])
  await deleteIdentitiesOf(tx, personId)
  await deletePerson(tx, personId)
}
