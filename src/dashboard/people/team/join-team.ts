import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct } from '../../../core/audit/audit.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import { ruleWithoutFactor, type PasswordRule } from '../passwords/rules.ts'
import { byPerson, type People, type Person, type Visitor } from '../people.ts'
import { readName, readNewPassword } from '../read-person.ts'
import { hashOf, rotateSession, type FreshSession, type Session } from '../sessions/sessions.ts'
import { completeSignIn, type SignedIn } from '../sign-in.ts'
import { addPerson } from '../sign-up.ts'
import { findPersonByEmail } from '../store.ts'
import { findInvitation, insertMember, takeInvitation, type InvitationRow } from './team-store.ts'

// An invitation is for one address. A person with an account of that address signs in and joins; others create one
// here: the link proves that the address is theirs.

export type Invitation = {
  readonly email: string
  readonly role: InvitationRow['role']
  readonly hasAccount: boolean
  /** For the password of a new account. */
  readonly rule: PasswordRule
}

export async function readInvitation(
  people: People,
  merchantId: number,
  secret: string,
): Promise<Invitation | undefined> {
  const found = await findInvitation(people.db, merchantId, hashOf(secret), people.now())
  if (!found) return undefined
  const hasAccount = (await findPersonByEmail(people.db, found.email)) !== undefined
  const rule = await ruleWithoutFactor(people.db, { isOperator: false, merchants: [merchantId] })
  return { email: found.email, role: found.role, hasAccount, rule }
}

/** The rights of the session grow, so it gets a new number. */
export async function joinTeam(
  people: People,
  merchantId: number,
  secret: string,
  own: { readonly person: Person; readonly session: Session; readonly cookie: string },
  visitor: Visitor,
): Promise<FreshSession | undefined> {
  return inTransaction(people.db, async (tx) => {
    const invitation = await takeInvitation(tx, merchantId, hashOf(secret), people.now())
    if (!invitation) return undefined
    if (invitation.email.toLowerCase() !== own.person.email.toLowerCase())
      throw new Refusal('not_found', 'This invitation is for another address')
    await join(tx, merchantId, own.person.id, invitation, visitor)
    const fresh = await rotateSession(tx, own.session, own.cookie, { now: people.now() })
    if (!fresh) throw new Refusal('not_found', 'Your session has ended')
    return fresh
  })
}

export async function joinAsNewPerson(
  people: People,
  merchantId: number,
  secret: string,
  fields: { readonly name?: string | undefined; readonly password?: string | undefined },
  visitor: Visitor,
): Promise<SignedIn | undefined> {
  const found = await readInvitation(people, merchantId, secret)
  if (!found) return undefined
  const name = readName(fields.name)
  const hash = await hashPassword(readNewPassword(fields.password, [found.email, name], found.rule))
  return inTransaction(people.db, async (tx) => {
    const invitation = await takeInvitation(tx, merchantId, hashOf(secret), people.now())
    if (!invitation) return undefined
    const row = await addPerson(tx, { email: invitation.email, name, hash, isOperator: false })
    if (!row)
      throw brokenRule('email', 'This address already has an account. Sign in, then open the link again.')
    await join(tx, merchantId, row.id, invitation, visitor)
    return completeSignIn(people, tx, row, visitor, 'sign_up')
  })
}

export async function join(
  tx: Transaction,
  merchantId: number,
  personId: string,
  { role }: InvitationRow,
  visitor: Visitor,
): Promise<void> {
  if (!(await insertMember(tx, merchantId, personId, role))) return
  await recordAct(tx, merchantId, byPerson(personId, visitor), {
    action: 'team.joined',
    subject: personId,
    after: { role },
  })
}
