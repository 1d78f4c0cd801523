import { createHmac, randomBytes } from 'node:crypto'
import { inTransaction, type Queryable, type Transaction } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct } from '../../../core/audit/audit.ts'
import { invitationEmail } from '../emails.ts'
import { byPerson, type People, type Person, type Visitor } from '../people.ts'
import type { Role } from '../rights.ts'
import { deleteSessionsOf } from '../sessions/session-store.ts'
import { hashOf } from '../sessions/sessions.ts'
import { findPersonByEmail, listPeople } from '../store.ts'
import { findMerchantsOf } from './memberships-look-store.ts'
import {
  findInvitationHash,
  deleteInvitation,
  deleteMember,
  findRole,
  listInvitations as readInvitations,
  listMembers as readMembers,
  lockMembers,
  setRole,
  upsertInvitation,
  type InvitationRow,
  type MembershipRow,
} from './team-store.ts'

// A merchant's members. Each change is one commit with its audit entry; a person whose permissions change is signed out
// everywhere, so that no server continues with old ones.

export const invitationDays = 7
export const teamMax = 200

export type Member = {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly hasSecondFactor: boolean
  readonly since: string
  readonly getsSummary: boolean
}

export type Team = { readonly merchantId: number; readonly merchantName: string }

export async function roleAt(db: Queryable, merchantId: number, personId: string): Promise<Role | undefined> {
  return findRole(db, merchantId, personId)
}

export async function merchantsOf(db: Queryable, personId: string): Promise<number[]> {
  return findMerchantsOf(db, personId)
}

export async function listMembers({ db }: People, merchantId: number): Promise<Member[]> {
  const rows = await readMembers(db, merchantId)
  const people = new Map(
    (
      await listPeople(
        db,
        rows.map(({ person_id }) => person_id),
      )
    ).map((one) => [one.id, one]),
  )
  return rows.map(({ person_id: personId, role, created_at: since, monthly_summary: getsSummary }) => {
    const person = people.get(personId)
    const { name = '', email = '' } = person ?? {}
    const hasSecondFactor = (person?.totp_sealed ?? null) !== null
    return { personId, name, email, role, hasSecondFactor, since, getsSummary }
  })
}

export async function listInvitations({ db, now }: People, merchantId: number): Promise<InvitationRow[]> {
  return readInvitations(db, merchantId, now())
}

export type InvitationRequest = {
  readonly email: string
  readonly role: Role
  readonly id?: string
  /** The secret of the inviter's session: a form that is sent twice gives the same link. */
  readonly session?: string
}

function secretOf(id: string, session: string | undefined): string {
  const bytes = session === undefined ? randomBytes(24) : createHmac('sha256', session).update(id).digest()
  return bytes.subarray(0, 24).toString('base64url')
}

/** Returns the invitation's link; undefined if this form was sent before. */
export async function invite(
  people: People,
  team: Team,
  inviter: Person,
  given: InvitationRequest,
  visitor: Visitor,
): Promise<string | undefined> {
  const { merchantId, merchantName } = team
  const { email, role, id = `inv_${randomBase62(16)}` } = given
  const secret = secretOf(id, given.session)
  const url = `${people.baseUrl}/dashboard/join/${merchantId}/${secret}`
  const endsAt = new Date(people.now().getTime() + invitationDays * 24 * 3_600_000)
  return inTransaction(people.db, async (tx) => {
    const members = await lockMembers(tx, merchantId)
    // Sent twice: a second e-mail would end the link of the first.
    const sentBefore = await findInvitationHash(tx, merchantId, id)
    if (sentBefore) return sentBefore.equals(hashOf(secret)) ? url : undefined
    const known = await findPersonByEmail(tx, email)
    if (members.some((one) => one.person_id === known?.id))
      throw brokenRule('email', 'This person is already on the team')
    if (members.length >= teamMax) throw brokenRule('email', `A team has at most ${teamMax} people`)
    await upsertInvitation(tx, merchantId, { id, email, role, hash: hashOf(secret), by: inviter.id, endsAt })
    await recordAct(tx, merchantId, byPerson(inviter.id, visitor), {
      action: 'team.invited',
      subject: email,
      after: { role },
    })
    const facts = { merchant: merchantName, inviter: inviter.name, role, days: invitationDays }
    await people.sendEmail(tx, invitationEmail(email, url, facts))
    return url
  })
}

export async function withdrawInvitation(
  people: People,
  merchantId: number,
  id: string,
  by: Person,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    const gone = await deleteInvitation(tx, merchantId, id)
    if (!gone) throw new Refusal('not_found', 'This invitation has expired')
    await recordAct(tx, merchantId, byPerson(by.id, visitor), {
      action: 'team.invitation_withdrawn',
      subject: gone.email,
      before: { role: gone.role },
    })
  })
}

export async function changeRole(
  people: People,
  merchantId: number,
  change: { readonly personId: string; readonly role: Role },
  by: Person,
  visitor: Visitor,
): Promise<void> {
  const { personId, role } = change
  if (personId === by.id) throw brokenRule('role', 'Ask another owner to change your own role')
  await inTransaction(people.db, async (tx) => {
    const member = await lockMember(tx, merchantId, personId, role)
    if (member.role === role) return
    await setRole(tx, merchantId, personId, role)
    await deleteSessionsOf(tx, personId)
    await recordAct(tx, merchantId, byPerson(by.id, visitor), {
      action: 'team.role_changed',
      subject: personId,
      before: { role: member.role },
      after: { role },
    })
  })
}

export async function removeMember(
  people: People,
  merchantId: number,
  personId: string,
  by: Person,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    const member = await lockMember(tx, merchantId, personId)
    await deleteMember(tx, merchantId, personId)
    // The own session of who leaves goes on: it may belong to other merchants as well.
    const isOwn = personId === by.id
    if (!isOwn) await deleteSessionsOf(tx, personId)
    await recordAct(tx, merchantId, byPerson(by.id, visitor), {
      action: isOwn ? 'team.left' : 'team.removed',
      subject: personId,
      before: { role: member.role },
    })
  })
}

/** Locks the whole team, and refuses what would leave it without an owner. `next`: the role that the member would have. */
export async function lockMember(
  tx: Transaction,
  merchantId: number,
  personId: string,
  next?: Role,
): Promise<MembershipRow> {
  const members = await lockMembers(tx, merchantId)
  const member = members.find((one) => one.person_id === personId)
  if (!member) throw new Refusal('not_found', "This person isn't on the team")
  const owners = members.filter(({ role }) => role === 'owner')
  if (member.role === 'owner' && next !== 'owner' && owners.length === 1)
    throw brokenRule('role', 'A team needs an owner. Make someone else an owner first.')
  return member
}
